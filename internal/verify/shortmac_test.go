package verify

import (
	"crypto/hmac"
	"crypto/sha256"
	"testing"

	"pgregory.net/rapid"
)

func TestShortMAC(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		key := rapid.SliceOfN(rapid.Byte(), 0, 130).Draw(t, "key")
		mac := newShortMAC(string(key))
		for range 2 { // one MAC serves many messages
			message := rapid.SliceOfN(rapid.Byte(), 0, maxShortMessage).Draw(t, "message")
			want := hmac.New(sha256.New, key)
			want.Write(message)
			if got := mac.sum(string(message)); got != [32]byte(want.Sum(nil)) {
				t.Fatalf("key %x, message %x: %x", key, message, got)
			}
		}
	})
}
