// Answers whose access token a request carries.
package main

import (
	"context"
	"encoding/json"
	"log"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/MicahParks/keyfunc/v3"
	"github.com/golang-jwt/jwt/v5"
	"golang.org/x/time/rate"
)

func main() {
	issuer, ctx := os.Getenv("ISSUER"), context.Background()
	keys, err := keyfunc.NewDefaultOverrideCtx(ctx, []string{issuer + "/.well-known/jwks.json"}, keyfunc.Override{
		HTTPTimeout: 3 * time.Second, RateLimitWaitMax: 3 * time.Second, RefreshInterval: time.Minute,
		RefreshUnknownKID: rate.NewLimiter(rate.Every(5*time.Second), 1), NoErrorReturnFirstHTTPReq: new(bool),
	})
	if err != nil {
		log.Fatal(err)
	}
	parser := jwt.NewParser(jwt.WithValidMethods([]string{"ES256"}), jwt.WithIssuer(issuer), jwt.WithAudience("gatehouse"), jwt.WithExpirationRequired())
	http.HandleFunc("/notes", func(w http.ResponseWriter, r *http.Request) {
		scheme, text, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		token, err := parser.Parse(text, keys.Keyfunc)
		if err != nil || token.Header["typ"] != "at+jwt" || !strings.EqualFold(scheme, "Bearer") {
			w.Header().Set("WWW-Authenticate", `Bearer error="invalid_token"`)
			http.Error(w, `{"code":"invalid_token"}`, http.StatusUnauthorized)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"owner": token.Claims.(jwt.MapClaims)["sub"]})
	})
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}
