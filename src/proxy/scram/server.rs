//! pgveil as the server: checks the proof of a client by the role's verifier. The rules and the
//! words are those of Postgres (`auth-scram.c`), so that clients see no difference.

use data_encoding::BASE64;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

use super::{BINDING, Credentials, PLAIN, PLUS, attribute, auth_message, hmac, key, xor};
use crate::config::Verifier;

/// What a client is offered.
#[derive(Debug, Clone, Copy)]
pub(in crate::proxy) struct Offer<'a> {
    /// What its connection is bound to, if it is encrypted.
    pub(in crate::proxy) end_point: Option<&'a [u8]>,
    /// Whether it must bind.
    pub(in crate::proxy) is_required: bool,
}

impl Offer<'_> {
    /// The mechanisms, the best first.
    pub(in crate::proxy) fn mechanisms(&self) -> &'static [&'static str] {
        match (self.end_point, self.is_required) {
            (None, _) => &[PLAIN],
            (Some(_), false) => &[PLUS, PLAIN],
            (Some(_), true) => &[PLUS],
        }
    }
}

/// Why a client is not let in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(in crate::proxy) enum ScramError {
    #[error("malformed SCRAM message")]
    Malformed(&'static str),
    #[error("client selected an invalid SASL authentication mechanism")]
    Mechanism,
    #[error("SCRAM channel binding negotiation error")]
    Downgrade,
    #[error("channel binding is required")]
    Unbound,
    #[error("SCRAM channel binding check failed")]
    Binding,
    #[error("invalid SCRAM response")]
    Nonce,
    /// The role is unknown, or the password wrong: nobody is told which.
    #[error("password authentication failed")]
    Password,
}

impl ScramError {
    /// As Postgres's.
    pub(in crate::proxy) fn sqlstate(self) -> &'static str {
        match self {
            Self::Malformed(_) | Self::Mechanism | Self::Nonce => "08P01",
            Self::Downgrade | Self::Unbound | Self::Binding => "28000",
            Self::Password => "28P01",
        }
    }

    pub(in crate::proxy) fn detail(self) -> Option<&'static str> {
        match self {
            Self::Malformed(detail) => Some(detail),
            Self::Downgrade => Some(
                "The client supports SCRAM channel binding but thinks the server does not. \
                 However, this server does support channel binding.",
            ),
            Self::Unbound => Some("Connect with TLS and channel_binding=require."),
            Self::Nonce => Some("Nonce does not match."),
            Self::Mechanism | Self::Binding | Self::Password => None,
        }
    }
}

/// The verifier of a role that does not exist: its salt is always the same for the same name,
/// as it would be if the role existed, and no proof fits it.
pub(in crate::proxy) fn stand_in(role: &[u8], iterations: u32, secret: &[u8; 32]) -> Verifier {
    let derived = |use_: &[u8]| hmac(secret, &[use_, role].concat());
    let [salt @ .., _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _] = derived(b"salt ");
    Verifier {
        iterations,
        salt: Box::new(salt),
        // No ClientKey is known whose hash this is.
        stored_key: derived(b"stored "),
        server_key: Zeroizing::new(derived(b"server ")),
    }
}

/// An exchange whose second message is due.
pub(in crate::proxy) struct Challenge {
    verifier: Verifier,
    /// What the client must send back as `c`.
    binding: String,
    client_first_bare: String,
    nonce: String,
    /// The server's first message.
    pub(in crate::proxy) message: String,
}

impl Challenge {
    /// Judges the client's first message.
    pub(in crate::proxy) fn new(
        offer: &Offer<'_>,
        verifier: Verifier,
        mechanism: &str,
        client_first: &str,
        nonce: &str,
    ) -> Result<Self, ScramError> {
        if offer.is_required && offer.end_point.is_none() {
            return Err(ScramError::Unbound);
        }
        if !offer.mechanisms().contains(&mechanism) {
            return Err(match (mechanism, offer.is_required) {
                (PLAIN, true) => ScramError::Unbound,
                _ => ScramError::Mechanism,
            });
        }
        let malformed = ScramError::Malformed;
        let (flag, rest) = client_first
            .split_once(',')
            .ok_or(malformed("The first attribute is missing."))?;
        let end_point = judge_flag(flag, mechanism, offer.end_point)?;
        let bare = rest
            .strip_prefix(',')
            .ok_or(malformed("An authorization identity is not supported."))?;
        let mut attributes = bare;
        // The name is that of the startup packet; Postgres does not look at this one either.
        attribute(&mut attributes, 'n').ok_or(malformed("Attribute n is missing."))?;
        let theirs = attribute(&mut attributes, 'r')
            .filter(|nonce| !nonce.is_empty() && nonce.bytes().all(|c| c.is_ascii_graphic()))
            .ok_or(malformed("Attribute r is missing or not printable."))?;

        let header = format!("{flag},,");
        let binding = [header.as_bytes(), end_point.unwrap_or_default()].concat();
        let nonce = format!("{theirs}{nonce}");
        let salt = BASE64.encode(&verifier.salt);
        Ok(Self {
            message: format!("r={nonce},s={salt},i={}", verifier.iterations),
            binding: BASE64.encode(&binding),
            client_first_bare: bare.to_owned(),
            nonce,
            verifier,
        })
    }

    /// Judges the client's second message; gives what has been proven, and the server's last one.
    pub(in crate::proxy) fn finish(
        self,
        client_final: &str,
    ) -> Result<(Credentials, String), ScramError> {
        let malformed = ScramError::Malformed;
        let (without_proof, proof) = client_final
            .rsplit_once(",p=")
            .ok_or(malformed("Attribute p is missing."))?;
        let mut attributes = without_proof;
        let binding =
            attribute(&mut attributes, 'c').ok_or(malformed("Attribute c is missing."))?;
        let nonce = attribute(&mut attributes, 'r').ok_or(malformed("Attribute r is missing."))?;
        if binding != self.binding {
            return Err(ScramError::Binding);
        }
        if nonce != self.nonce {
            return Err(ScramError::Nonce);
        }
        let proof = key(proof).ok_or(malformed("Attribute p is no proof."))?;

        let message = auth_message(&self.client_first_bare, &self.message, without_proof);
        let signature = hmac(&self.verifier.stored_key, message.as_bytes());
        let client_key = xor(&proof, &signature);
        let stored: [u8; 32] = Sha256::digest(client_key.as_slice()).into();
        if !bool::from(stored.ct_eq(&self.verifier.stored_key)) {
            return Err(ScramError::Password);
        }
        let signature = hmac(self.verifier.server_key.as_slice(), message.as_bytes());
        let credentials = Credentials {
            client_key,
            verifier: self.verifier,
        };
        Ok((credentials, format!("v={}", BASE64.encode(&signature))))
    }
}

/// The binding that a client wants; an error where it does not fit what it was offered.
fn judge_flag<'a>(
    flag: &str,
    mechanism: &str,
    end_point: Option<&'a [u8]>,
) -> Result<Option<&'a [u8]>, ScramError> {
    match (flag, mechanism == PLUS) {
        // "The client doesn't support channel binding."
        ("n", false) => Ok(None),
        // "The client does support channel binding but thinks the server does not": if that is
        // wrong, someone has changed what the server offered.
        ("y", false) if end_point.is_some() => Err(ScramError::Downgrade),
        ("y", false) => Ok(None),
        (other, true) if other.strip_prefix("p=") == Some(BINDING) => Ok(end_point),
        (_, true) => Err(ScramError::Malformed(
            "SCRAM-SHA-256-PLUS needs the channel binding tls-server-end-point.",
        )),
        (_, false) => Err(ScramError::Malformed(
            "SCRAM-SHA-256 has no channel binding.",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::*;
    use super::*;

    const NOT_BOUND: Offer<'_> = Offer {
        end_point: None,
        is_required: false,
    };
    const BOUND: Offer<'_> = Offer {
        end_point: Some(b"hash"),
        is_required: false,
    };

    fn challenge(offer: &Offer<'_>, mechanism: &str, first: &str) -> Result<Challenge, ScramError> {
        let verifier = credentials("pencil").verifier;
        Challenge::new(offer, verifier, mechanism, first, SERVER_NONCE)
    }

    fn error(offer: &Offer<'_>, mechanism: &str, first: &str) -> Option<ScramError> {
        challenge(offer, mechanism, first).err()
    }

    #[test]
    fn speaks_as_in_the_rfc() {
        let challenge = challenge(&NOT_BOUND, PLAIN, CLIENT_FIRST).unwrap_or_else(|_| panic!());
        assert_eq!(challenge.message, SERVER_FIRST);
        let (learnt, last) = challenge.finish(CLIENT_FINAL).unwrap_or_else(|_| panic!());
        assert_eq!(last, SERVER_FINAL);
        assert_eq!(learnt.client_key, credentials("pencil").client_key);
    }

    #[test]
    fn a_wrong_proof_nonce_or_binding_is_refused() {
        for (spoilt, expected) in [
            (CLIENT_FINAL.replace("p=dH", "p=eH"), ScramError::Password),
            (CLIENT_FINAL.replace("r=rO", "r=sO"), ScramError::Nonce),
            (
                CLIENT_FINAL.replace("c=biws", "c=eSws"),
                ScramError::Binding,
            ),
            (
                CLIENT_FINAL.replace(",p=", ",q="),
                ScramError::Malformed("Attribute p is missing."),
            ),
            (
                CLIENT_FINAL.replace("VQ=", ""),
                ScramError::Malformed("Attribute p is no proof."),
            ),
        ] {
            let challenge = challenge(&NOT_BOUND, PLAIN, CLIENT_FIRST).unwrap_or_else(|_| panic!());
            assert_eq!(challenge.finish(&spoilt).err(), Some(expected), "{spoilt}");
        }
    }

    #[test]
    fn the_flag_must_fit_what_was_offered() {
        let required = Offer {
            is_required: true,
            ..BOUND
        };
        let plus = "p=tls-server-end-point,,n=,r=x";
        assert_eq!(error(&BOUND, PLUS, plus), None);
        assert_eq!(error(&required, PLUS, plus), None);
        assert_eq!(error(&BOUND, PLAIN, "n,,n=,r=x"), None);
        assert_eq!(error(&NOT_BOUND, PLAIN, "y,,n=,r=x"), None);
        assert_eq!(
            error(&BOUND, PLAIN, "y,,n=,r=x"),
            Some(ScramError::Downgrade)
        );
        assert_eq!(
            error(&required, PLAIN, "n,,n=,r=x"),
            Some(ScramError::Unbound)
        );
        assert_eq!(error(&NOT_BOUND, PLUS, plus), Some(ScramError::Mechanism));
        assert_eq!(error(&BOUND, "PLAIN", plus), Some(ScramError::Mechanism));
        for (mechanism, first) in [
            (PLUS, "n,,n=,r=x"),
            (PLUS, "p=tls-unique,,n=,r=x"),
            (PLAIN, plus),
            (PLAIN, "n,a=other,n=,r=x"),
            (PLAIN, "n,,m=ext,n=,r=x"),
            (PLAIN, "n,,n="),
            (PLAIN, "n,,n=,r="),
            (PLAIN, "n,,n=,r=\u{7}"),
            (PLAIN, ""),
        ] {
            let error = error(&BOUND, mechanism, first);
            assert!(
                matches!(error, Some(ScramError::Malformed(_))),
                "{first}: {error:?}"
            );
        }
    }

    #[test]
    fn an_unknown_role_has_a_salt_of_its_own_that_stays() {
        let secret = [1; 32];
        let ann = stand_in(b"ann", 4096, &secret);
        assert_eq!(ann.salt.len(), 16);
        assert_eq!(ann, stand_in(b"ann", 4096, &secret));
        assert_ne!(ann.salt, stand_in(b"bob", 4096, &secret).salt);
        assert_ne!(ann.salt, stand_in(b"ann", 4096, &[2; 32]).salt);
    }
}
