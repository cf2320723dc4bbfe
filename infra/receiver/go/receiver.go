// Receives Ligeiro's webhooks. Go 1.21 or later, nothing to install.
//
//	WEBHOOK_SECRET=whsec_... go run receiver.go 9000
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	tolerance    = 5 * time.Minute
	bodyBytesMax = 64 * 1024 // mostly 2 kB; 32 kB at most
	keyBytesMin  = 24        // without a check, an empty secret would verify what anybody has signed with an empty key
	idsMax       = 10_000
)

// verify returns an error if the webhook was not signed with the secret in the last 5 minutes.
// body has the received bytes, not parsed and written again.
func verify(secret string, header http.Header, body []byte) error {
	timestamp := header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > tolerance {
		return errors.New("webhook-timestamp is missing or more than 5 minutes off")
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil || len(key) < keyBytesMin {
		return errors.New("the receiver's secret is not whsec_ and the base64 of at least 24 bytes")
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.", header.Get("webhook-id"), timestamp)
	mac.Write(body)
	expected := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	// While a secret is rotated, the header has a signature for each of the two secrets, separated by a space.
	for _, signature := range strings.Split(header.Get("webhook-signature"), " ") {
		if hmac.Equal(expected, []byte(signature)) {
			return nil
		}
	}
	return errors.New("no signature in webhook-signature fits the secret")
}

// inbox stores each webhook once. In production a table with webhook-id as its primary key: what is in memory is lost in a crash.
type inbox struct {
	mutex    sync.Mutex
	webhooks map[string][]byte
	ids      []string // the oldest first
}

// store returns false for a repetition. A repetition is normal: the response to the first one may have been lost.
func (in *inbox) store(id string, body []byte) bool {
	in.mutex.Lock()
	defer in.mutex.Unlock()
	if _, known := in.webhooks[id]; known {
		return false
	}
	if len(in.ids) == idsMax {
		delete(in.webhooks, in.ids[0])
		in.ids = in.ids[1:]
	}
	in.webhooks[id] = body
	in.ids = append(in.ids, id)
	return true
}

func receive(secret string) http.HandlerFunc {
	received := inbox{webhooks: map[string][]byte{}}
	return func(response http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, bodyBytesMax))
		if err == nil {
			err = verify(secret, request.Header, body)
		}
		if err != nil {
			fmt.Println("refused:", err)
			response.WriteHeader(http.StatusBadRequest)
			return
		}
		// Respond at once: the work on a stored webhook comes later, in another goroutine or process.
		id := request.Header.Get("webhook-id")
		if received.store(id, body) {
			fmt.Println("stored:", id)
		} else {
			fmt.Println("repeated:", id)
		}
		response.WriteHeader(http.StatusNoContent)
	}
}

func main() {
	port := os.Args[1]
	listener, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("receiving on port", port)
	log.Fatal(http.Serve(listener, receive(os.Getenv("WEBHOOK_SECRET"))))
}
