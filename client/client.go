// Package client speaks to a Pavage service.
package client
