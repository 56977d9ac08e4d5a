package verify

import "strconv"

// GameSeed is the seed of a single-player bet: HMAC-SHA256 of nothing under the
// key server:client:nonce. The nonce is the time of the bet in milliseconds.
func GameSeed(serverSeed, clientSeed string, nonce int64) ChainHash {
	mac := newShortMAC(GameSeedKey(serverSeed, clientSeed, nonce))
	sum := mac.sum("")
	return hexText(&sum)
}

// GameSeedKey is the key of [GameSeed]. Nothing is escaped in it, so that the
// seeds "a" and "b:c" give the key of "a:b" and "c".
func GameSeedKey(serverSeed, clientSeed string, nonce int64) string {
	return serverSeed + ":" + clientSeed + ":" + strconv.FormatInt(nonce, 10)
}
