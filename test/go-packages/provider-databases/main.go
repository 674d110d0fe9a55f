// A provider as Crossplane's are written: on controller-runtime, knowing nothing of Weft. It asks of its environment what those ask: a
// kubeconfig, certificates in folders, ports of its own for metrics and webhooks, Leases where it elects a leader, Secrets by list and watch. It
// waits for its kinds (safe start), and makes databases on real PostgreSQL servers.
package main

import (
	"crypto/tls"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientgo "k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
)

type settings struct {
	debug, leaderElection bool
	sync, poll            time.Duration
	rate, webhookPort     int
	metrics               string
}

func main() {
	// controller-runtime itself defines --kubeconfig.
	var s settings
	flag.BoolVar(&s.debug, "debug", false, "log more")
	flag.BoolVar(&s.leaderElection, "leader-election", os.Getenv("LEADER_ELECTION") == "true", "have one of several act")
	flag.DurationVar(&s.sync, "sync", time.Hour, "how often everything is looked at again")
	flag.DurationVar(&s.poll, "poll", 10*time.Second, "how often each database is looked at")
	flag.IntVar(&s.rate, "max-reconcile-rate", 10, "how many databases are looked at at once")
	flag.IntVar(&s.webhookPort, "webhook-port", number(os.Getenv("WEBHOOK_PORT"), 9443), "where webhooks are served")
	flag.StringVar(&s.metrics, "metrics-bind-address", withDefault(os.Getenv("METRICS_BIND_ADDRESS"), ":8080"), "where metrics are served")
	flag.Parse()
	ctrl.SetLogger(zap.New(zap.UseDevMode(s.debug)))
	if err := run(s); err != nil {
		fmt.Fprintln(os.Stderr, "provider: error:", err)
		os.Exit(1)
	}
}

func run(s settings) error {
	// Of a provider that calls Crossplane; here it is enough that they are there and fit.
	client := os.Getenv("TLS_CLIENT_CERTS_DIR")
	if _, err := tls.LoadX509KeyPair(filepath.Join(client, "tls.crt"), filepath.Join(client, "tls.key")); err != nil {
		return fmt.Errorf("cannot load the client certificate: %w", err)
	}
	config, err := ctrl.GetConfig()
	if err != nil {
		return fmt.Errorf("cannot get the API server's config: %w", err)
	}
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{clientgo.AddToScheme, apiextensionsv1.AddToScheme, addKinds} {
		if err := add(scheme); err != nil {
			return err
		}
	}
	release := 60 * time.Second
	renew := 50 * time.Second
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:                        scheme,
		Cache:                         cache.Options{SyncPeriod: &s.sync},
		Metrics:                       server.Options{BindAddress: s.metrics},
		WebhookServer:                 webhook.NewServer(webhook.Options{Port: s.webhookPort, CertDir: certificates()}),
		LeaderElection:                s.leaderElection,
		LeaderElectionID:              "crossplane-leader-election-provider-databases",
		LeaderElectionNamespace:       os.Getenv("POD_NAMESPACE"),
		LeaderElectionReleaseOnCancel: true,
		LeaseDuration:                 &release,
		RenewDeadline:                 &renew,
	})
	if err != nil {
		return fmt.Errorf("cannot make the manager: %w", err)
	}
	if err := serveWebhooks(manager); err != nil {
		return fmt.Errorf("cannot serve webhooks: %w", err)
	}
	if err := startWhenServed(manager, databaseDefinition, func() error { return reconcileDatabases(manager, s) }); err != nil {
		return fmt.Errorf("cannot wait for kinds: %w", err)
	}
	return manager.Start(ctrl.SetupSignalHandler())
}

func certificates() string {
	return withDefault(os.Getenv("WEBHOOK_TLS_CERT_DIR"), os.Getenv("TLS_SERVER_CERTS_DIR"))
}

func number(text string, otherwise int) int {
	if value, err := strconv.Atoi(text); err == nil {
		return value
	}
	return otherwise
}

func withDefault(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}
