package ingest

import "minesaudit/internal/rpc"

func keyText(key [32]byte) string             { return rpc.KeyString(key) }
func signatureText(signature [64]byte) string { return rpc.SignatureString(signature) }
