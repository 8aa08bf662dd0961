"""Answers whose access token a request carries."""
import json
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import jwt

ISSUER = os.environ["ISSUER"]
keys = jwt.PyJWKClient(f"{ISSUER}/.well-known/jwks.json", lifespan=60, timeout=3, cooldown_duration=5)


def verify(authorization: str) -> dict:
    scheme, _, token = authorization.partition(" ")
    if scheme.lower() != "bearer" or jwt.get_unverified_header(token).get("typ") != "at+jwt":
        raise jwt.InvalidTokenError
    return jwt.decode(token, keys.get_signing_key_from_jwt(token), algorithms=["ES256"], issuer=ISSUER,
                      audience="gatehouse", options={"require": ["exp", "sub", "sid"], "verify_iat": False})


class Notes(BaseHTTPRequestHandler):
    def do_GET(self):
        try:
            self.answer(200, {"owner": verify(self.headers.get("Authorization", ""))["sub"]})
        except (jwt.PyJWKClientConnectionError, jwt.PyJWKSetError, json.JSONDecodeError):
            self.answer(503, {"code": "unavailable"}, {"Retry-After": "1"})
        except jwt.PyJWTError:
            self.answer(401, {"code": "invalid_token"}, {"WWW-Authenticate": 'Bearer error="invalid_token"'})

    def answer(self, status, body, headers={}):
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(json.dumps(body).encode())


ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Notes).serve_forever()
