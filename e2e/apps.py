"""The headers of a new app user's requests, with a token signed as the app's backend would."""

import base64
import json
import time

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from harbor import ENVIRONMENT, unique


def base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class AppUser:
    """An app with a new user, whose token is signed with a new key that is registered as the app's."""

    def __init__(self, server: str, admin):
        self.server, self.user = server, unique("user")
        key = ec.generate_private_key(ec.SECP256R1())
        pem = key.public_key().public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo).decode()
        self.headers = {
            "Authorization": f"Bearer {self.token(key)}", "Inlay-Environment": ENVIRONMENT,
            "Inlay-Api-Key": admin.api_key(pem), "Content-Type": "application/json",
        }

    def token(self, key) -> str:
        now = int(time.time())
        parts = [{"alg": "ES256", "typ": "JWT"}, {"sub": self.user, "iat": now, "exp": now + 3600}]
        signed = ".".join(base64url(json.dumps(part).encode()) for part in parts)
        r, s = decode_dss_signature(key.sign(signed.encode(), ec.ECDSA(hashes.SHA256())))
        return f"{signed}.{base64url(r.to_bytes(32, 'big') + s.to_bytes(32, 'big'))}"
