package server

import (
	"net"
	"sync"
)

// limitConnections returns l with a limit on its open connections. More connections wait in
// the system's queue until one is closed.
func limitConnections(l net.Listener, most int) net.Listener {
	return &limited{Listener: l, places: make(chan struct{}, most), closed: make(chan struct{})}
}

type limited struct {
	net.Listener
	places chan struct{} // has one element for each open connection
	once   sync.Once
	closed chan struct{}
}

func (l *limited) Accept() (net.Conn, error) {
	select {
	case l.places <- struct{}{}:
	case <-l.closed:
		return nil, net.ErrClosed
	}
	c, err := l.Listener.Accept()
	if err != nil {
		<-l.places
		return nil, err
	}
	return &place{Conn: c, leave: sync.OnceFunc(func() { <-l.places })}, nil
}

func (l *limited) Close() error {
	l.once.Do(func() { close(l.closed) })
	return l.Listener.Close()
}

// place is a connection that holds one of the places.
type place struct {
	net.Conn
	leave func()
}

func (p *place) Close() error {
	defer p.leave()
	return p.Conn.Close()
}
