// Package queue keeps the jobs of a service in a database.
package queue
