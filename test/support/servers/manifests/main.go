// Reads manifests of Kubernetes from standard input, as YAML, and writes each as a line of JSON. A kind or member that
// Kubernetes does not know, or a value of another type, ends it with exit code 1 and a line that names it.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/kubernetes/scheme"
)

func main() {
	codecs := serializer.NewCodecFactory(scheme.Scheme, serializer.EnableStrict)
	manifests := yaml.NewYAMLReader(bufio.NewReader(os.Stdin))
	for {
		manifest, err := manifests.Read()
		if errors.Is(err, io.EOF) {
			return
		}
		requireNo(err)
		if !hasContent(manifest) {
			continue
		}
		object, _, err := codecs.UniversalDeserializer().Decode(manifest, nil, nil)
		requireNo(err)
		line, err := json.Marshal(object)
		requireNo(err)
		fmt.Println(string(line))
	}
}

// Whether there is more than comments and the line between two manifests.
func hasContent(manifest []byte) bool {
	for _, line := range bytes.Split(manifest, []byte("\n")) {
		line = bytes.TrimSpace(line)
		if len(line) > 0 && line[0] != '#' && !bytes.Equal(line, []byte("---")) {
			return true
		}
	}
	return false
}

func requireNo(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
