package main

import (
	"encoding/json"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/conversion"
)

const (
	group              = "databases.example.org"
	databaseDefinition = "databases." + group
)

var (
	stored = schema.GroupVersion{Group: group, Version: "v1beta1"}
	older  = schema.GroupVersion{Group: group, Version: "v1alpha1"}
)

// Database is a database on a PostgreSQL server, with a role of the same name that owns it.
type Database struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              DatabaseSpec `json:"spec"`
	Status            Status       `json:"status,omitempty"`
}

type DatabaseSpec struct {
	Common      `json:",inline"`
	ForProvider Parameters `json:"forProvider"`
}

// Parameters are those of the newest version.
type Parameters struct {
	ConnectionLimit *int32 `json:"connectionLimit,omitempty"`
}

// Common is what the spec of every managed resource has.
type Common struct {
	ProviderConfigRef *Reference       `json:"providerConfigRef,omitempty"`
	WriteSecretTo     *SecretReference `json:"writeConnectionSecretToRef,omitempty"`
	DeletionPolicy    string           `json:"deletionPolicy,omitempty"`
	Policies          []string         `json:"managementPolicies,omitempty"`
}

type Reference struct {
	Name string `json:"name"`
}

type SecretReference struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
}

type Status struct {
	Conditions []Condition `json:"conditions,omitempty"`
	AtProvider struct {
		Owner string `json:"owner,omitempty"`
	} `json:"atProvider,omitempty"`
}

type Condition struct {
	Type    string      `json:"type"`
	Status  string      `json:"status"`
	Reason  string      `json:"reason"`
	Message string      `json:"message,omitempty"`
	Since   metav1.Time `json:"lastTransitionTime"`
}

type DatabaseList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Database `json:"items"`
}

// DatabaseV1Alpha1 calls the limit of connections otherwise.
type DatabaseV1Alpha1 struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              DatabaseV1Alpha1Spec `json:"spec"`
	Status            Status               `json:"status,omitempty"`
}

type DatabaseV1Alpha1Spec struct {
	Common      `json:",inline"`
	ForProvider struct {
		MaxConnections *int32 `json:"maxConnections,omitempty"`
	} `json:"forProvider"`
}

// ProviderConfig names the Secret that says where a server is.
type ProviderConfig struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              struct {
		Credentials struct {
			SecretRef SecretReference `json:"connectionSecretRef"`
		} `json:"credentials"`
	} `json:"spec"`
}

type ProviderConfigList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []ProviderConfig `json:"items"`
}

// ProviderConfigUsage notes that a Database uses a ProviderConfig.
type ProviderConfigUsage struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	ConfigRef         Reference `json:"providerConfigRef"`
	ResourceRef       struct {
		APIVersion string `json:"apiVersion"`
		Kind       string `json:"kind"`
		Name       string `json:"name"`
		UID        string `json:"uid,omitempty"`
	} `json:"resourceRef"`
}

type ProviderConfigUsageList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []ProviderConfigUsage `json:"items"`
}

func addKinds(scheme *runtime.Scheme) error {
	scheme.AddKnownTypes(stored, &Database{}, &DatabaseList{}, &ProviderConfig{}, &ProviderConfigList{}, &ProviderConfigUsage{}, &ProviderConfigUsageList{})
	scheme.AddKnownTypeWithName(older.WithKind("Database"), &DatabaseV1Alpha1{})
	metav1.AddToGroupVersion(scheme, stored)
	metav1.AddToGroupVersion(scheme, older)
	return nil
}

func (d *Database) Hub() {}

func (d *DatabaseV1Alpha1) ConvertTo(hub conversion.Hub) error {
	to := hub.(*Database)
	to.ObjectMeta, to.Status, to.Spec.Common = d.ObjectMeta, d.Status, d.Spec.Common
	to.Spec.ForProvider.ConnectionLimit = d.Spec.ForProvider.MaxConnections
	return nil
}

func (d *DatabaseV1Alpha1) ConvertFrom(hub conversion.Hub) error {
	from := hub.(*Database)
	d.ObjectMeta, d.Status, d.Spec.Common = from.ObjectMeta, from.Status, from.Spec.Common
	d.Spec.ForProvider.MaxConnections = from.Spec.ForProvider.ConnectionLimit
	return nil
}

// copied is deep: all of these are written as JSON anyway.
func copied[T any](from *T) *T {
	to := new(T)
	text, err := json.Marshal(from)
	if err == nil {
		err = json.Unmarshal(text, to)
	}
	if err != nil {
		panic(err)
	}
	return to
}

func (d *Database) DeepCopyObject() runtime.Object                { return copied(d) }
func (l *DatabaseList) DeepCopyObject() runtime.Object            { return copied(l) }
func (d *DatabaseV1Alpha1) DeepCopyObject() runtime.Object        { return copied(d) }
func (c *ProviderConfig) DeepCopyObject() runtime.Object          { return copied(c) }
func (l *ProviderConfigList) DeepCopyObject() runtime.Object      { return copied(l) }
func (u *ProviderConfigUsage) DeepCopyObject() runtime.Object     { return copied(u) }
func (l *ProviderConfigUsageList) DeepCopyObject() runtime.Object { return copied(l) }
