// A function as one static program: it labels everything that the steps before it want with the name of what it belongs to. It takes the flags
// and the environment that functions written with Crossplane's kits take.
package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"path/filepath"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
)

func main() {
	address := flag.String("address", ":9443", "where calls are taken")
	network := flag.String("network", "tcp", "of the address")
	folder := flag.String("tls-server-certs-dir", os.Getenv("TLS_SERVER_CERTS_DIR"), "tls.crt, tls.key, and ca.crt of those who may call")
	plain := flag.Bool("insecure", false, "take calls without TLS")
	flag.Bool("debug", false, "log more")
	flag.Parse()
	if err := serve(*network, *address, *folder, *plain); err != nil {
		fmt.Fprintln(os.Stderr, "function: error:", err)
		os.Exit(1)
	}
}

func serve(network, address, folder string, plain bool) error {
	messages, err := compileProtocol(context.Background())
	if err != nil {
		return err
	}
	secured := insecure.NewCredentials()
	if !plain {
		if secured, err = mutual(folder); err != nil {
			return err
		}
	}
	listener, err := net.Listen(network, address)
	if err != nil {
		return err
	}
	server := grpc.NewServer(grpc.Creds(secured))
	server.RegisterService(messages.service(label), nil)
	fmt.Fprintln(os.Stderr, "function: serving at", listener.Addr())
	return server.Serve(listener)
}

// mutual takes calls of those whose certificates are signed by the same authority as ours.
func mutual(folder string) (credentials.TransportCredentials, error) {
	certificate, err := tls.LoadX509KeyPair(filepath.Join(folder, "tls.crt"), filepath.Join(folder, "tls.key"))
	if err != nil {
		return nil, err
	}
	authority, err := os.ReadFile(filepath.Join(folder, "ca.crt"))
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(authority) {
		return nil, errors.New("ca.crt holds no certificate")
	}
	return credentials.NewTLS(&tls.Config{
		Certificates: []tls.Certificate{certificate},
		ClientAuth:   tls.RequireAndVerifyClientCert,
		ClientCAs:    pool,
	}), nil
}
