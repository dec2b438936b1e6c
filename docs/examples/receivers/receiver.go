// A webhook receiver in Go, using only the standard library.
//
//	WEBHOOK_SECRET=whsec_… PORT=8090 go run receiver.go
//
// Run it behind an HTTPS proxy. Each event is appended to EVENTS_FILE as one line of JSON.
package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
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

const toleranceSeconds = 300
const largestBody = 1_000_000

// isGenuine reports whether the sender has the secret and signed these bytes within the last five minutes.
func isGenuine(secret []byte, header string, body []byte) bool {
	signedAt, signatures := "", []string{}
	for _, part := range strings.Split(header, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		if name == "t" {
			signedAt = value
		} else if name == "v1" {
			signatures = append(signatures, value)
		}
	}
	seconds, err := strconv.ParseInt(signedAt, 10, 64)
	if err != nil {
		return false
	}
	if age := time.Now().Unix() - seconds; age > toleranceSeconds || age < -toleranceSeconds {
		return false
	}
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(signedAt + "."))
	mac.Write(body)
	expected := mac.Sum(nil)
	// There are two v1 values during a secret rotation; accept any that matches.
	for _, signature := range signatures {
		given, err := hex.DecodeString(signature)
		if err == nil && hmac.Equal(given, expected) {
			return true
		}
	}
	return false
}

func setting(name, otherwise string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return otherwise
}

func main() {
	secret := []byte(os.Getenv("WEBHOOK_SECRET"))
	if len(secret) == 0 {
		log.Fatal("WEBHOOK_SECRET is not set")
	}
	file, err := os.OpenFile(setting("EVENTS_FILE", "events.ndjson"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		log.Fatal(err)
	}

	// An event can arrive twice. Store the ids with the events, for example in a unique column.
	handled, lock := map[string]bool{}, sync.Mutex{}

	receive := func(response http.ResponseWriter, request *http.Request) {
		// Use the raw bytes as received: parsed and serialized again, they would have a different signature.
		body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, largestBody))
		if err != nil || !isGenuine(secret, request.Header.Get("Service-Signature"), body) {
			response.WriteHeader(http.StatusBadRequest)
			return
		}
		var event struct{ ID string }
		line := bytes.Buffer{}
		if json.Unmarshal(body, &event) != nil || json.Compact(&line, body) != nil {
			response.WriteHeader(http.StatusBadRequest)
			return
		}
		lock.Lock()
		defer lock.Unlock()
		if !handled[event.ID] {
			line.WriteByte('\n')
			if _, err := file.Write(line.Bytes()); err != nil || file.Sync() != nil {
				response.WriteHeader(http.StatusInternalServerError)
				return
			}
			handled[event.ID] = true
		}
		// Durably stored, so acknowledge now and process later; the sender times out after 10 seconds.
		response.WriteHeader(http.StatusNoContent)
	}

	listener, err := net.Listen("tcp", "127.0.0.1:"+setting("PORT", "8090"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("listening on %d\n", listener.Addr().(*net.TCPAddr).Port)
	log.Fatal(http.Serve(listener, http.HandlerFunc(receive)))
}
