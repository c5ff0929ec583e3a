package web

import "embed"

// dist is empty: in a browser the page is there already.
var dist embed.FS
