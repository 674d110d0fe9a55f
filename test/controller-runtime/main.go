// An ordinary controller-runtime program and a scenario that checks itself:
// run it against a server with --kubeconfig. It knows nothing of Weft, so what
// passes against kube-apiserver must pass against Weft.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/go-logr/logr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
)

const overallTimeout = 120 * time.Second

func main() {
	// controller-runtime itself defines --kubeconfig.
	expectGC := flag.Bool("expect-gc", true, "the server collects garbage and finishes the deletion of namespaces")
	verbose := flag.Bool("verbose", false, "log what controller-runtime does to standard error")
	flag.Parse()
	if *verbose {
		ctrl.SetLogger(zap.New(zap.UseDevMode(true)))
	} else {
		ctrl.SetLogger(logr.Discard())
	}

	results := &checks{}
	ctx, cancel := context.WithTimeout(context.Background(), overallTimeout-5*time.Second)
	defer cancel()
	done := make(chan struct{})
	go func() {
		defer close(done)
		runScenario(ctx, results, *expectGC)
	}()
	select {
	case <-done:
	// The context ends a little earlier, for checks to say what they waited for.
	case <-time.After(overallTimeout):
		results.run("overall-timeout", func() error { return fmt.Errorf("still running after %s", overallTimeout) })
	}
	os.Exit(results.summary())
}
