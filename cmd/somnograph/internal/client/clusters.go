package client

import (
	"context"
	"encoding/json"
	"time"

	"github.com/somnograph/somnograph/client"
)

// Cluster is a cluster with its label and its terms.
type Cluster = client.ClusterRecord

// ClustersOptions are the arguments of Clusters.
type ClustersOptions = client.ClustersOptions

// Pattern is one version of a pattern.
type Pattern = client.PatternRecord

// PatternDetail is a pattern with its sources.
type PatternDetail = client.PatternDetail

// PatternKind is the kind of a pattern.
type PatternKind = client.PatternKind

// PatternsOptions are the arguments of Patterns.
type PatternsOptions = client.PatternsOptions

// PatternConflict is a pair of patterns that contradict each other.
type PatternConflict = client.PatternConflict

// PatternConflictsOptions are the arguments of PatternConflicts.
type PatternConflictsOptions = client.PatternConflictsOptions

// ClusterDetail is a cluster with its strongest members, the clusters like it, and the patterns drawn from it.
type ClusterDetail struct {
	Cluster
	Memberships []struct {
		Memory struct {
			ID      string `json:"id"`
			Content string `json:"content"`
		} `json:"memory"`
		Strength float64 `json:"strength"`
		Settled  bool    `json:"settled"`
	} `json:"memberships"`
	Related []struct {
		Similarity float64 `json:"similarity"`
		Cluster    struct {
			ID    string `json:"id"`
			Label string `json:"label"`
		} `json:"cluster"`
	} `json:"related"`
	Patterns []struct {
		ID   string      `json:"id"`
		Kind PatternKind `json:"kind"`
		Text string      `json:"text"`
	} `json:"patterns"`
}

// ClusterDetail reads one cluster with at most some members, 1 to 1,000. It is nil if the caller sees none with this id.
func (c *Client) ClusterDetail(ctx context.Context, id string, members int) (*ClusterDetail, error) {
	var out struct{ Cluster *ClusterDetail }
	err := c.Do(ctx, `query($id:ID!,$members:Int!){cluster(id:$id){id namespace user label summary size density createdAt updatedAt terms{text weight count}
		memberships(first:$members){memory{id content} strength settled} related{similarity cluster{id label}} patterns{id kind text}}}`,
		map[string]any{"id": id, "members": members}, &out)
	return out.Cluster, err
}

// PatternProvenance returns the provenance of a pattern as W3C PROV-JSON.
func (c *Client) PatternProvenance(ctx context.Context, id string) (json.RawMessage, error) {
	var out struct{ PatternProvenance json.RawMessage }
	err := c.Do(ctx, `query($id:ID!){patternProvenance(id:$id)}`, map[string]any{"id": id}, &out)
	return out.PatternProvenance, err
}

// ExtractedPatterns is what was drawn from a cluster, and what was refused.
type ExtractedPatterns = client.ExtractedPatterns

// ResolvePatternOptions are the optional arguments of ResolvePattern.
type ResolvePatternOptions = client.ResolvePatternOptions

// ClusterEvolutionOptions are the arguments of ClusterHistory.
type ClusterEvolutionOptions = client.ClusterEvolutionOptions

// ClusterChange is a change of a cluster in a sleep, and the cluster as it is now.
type ClusterChange struct {
	client.ClusterEvent
	Current *struct { // nil: it is no more, or the caller does not see it
		Label string `json:"label"`
	} `json:"current"`
}

// ClusterChanges is a page of changes of clusters.
type ClusterChanges struct {
	Nodes    []ClusterChange `json:"nodes"`
	PageInfo client.PageInfo `json:"pageInfo"`
}

// ClusterHistory returns the newest changes of clusters.
func (c *Client) ClusterHistory(ctx context.Context, o ClusterEvolutionOptions) (*ClusterChanges, error) {
	v := map[string]any{"namespaces": o.Namespaces, "first": o.First}
	for name, text := range map[string]string{"user": o.User, "cluster": o.Cluster} {
		if text != "" {
			v[name] = text
		}
	}
	for name, at := range map[string]time.Time{"since": o.Since, "until": o.Until} {
		if !at.IsZero() {
			v[name] = at.UTC().Format(time.RFC3339Nano)
		}
	}
	var out struct{ ClusterEvolution ClusterChanges }
	err := c.Do(ctx, `query($namespaces:[String!],$user:String,$cluster:ID,$since:Time,$until:Time,$first:Int){
		clusterEvolution(namespaces:$namespaces,user:$user,cluster:$cluster,since:$since,until:$until,first:$first){
		nodes{id at change namespace user cluster from size report current{label}} pageInfo{hasNextPage endCursor}}}`, v, &out)
	return &out.ClusterEvolution, err
}
