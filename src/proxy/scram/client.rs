//! pgveil as the client: proves to Postgres what a client has proven to pgveil, and demands the
//! server's proof in return.

use data_encoding::BASE64;
use subtle::ConstantTimeEq;

use super::{BINDING, Credentials, PLAIN, PLUS, attribute, auth_message, hmac, key, xor};

/// Why pgveil can't log in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(in crate::proxy) enum LoginError {
    /// It asks for a password, or for something else that pgveil does not have.
    #[error("the server asks for authentication method {0}, which needs more than a verifier")]
    Method(u32),
    /// There is no SCRAM-SHA-256 among the mechanisms.
    #[error("the server offers no mechanism that pgveil knows")]
    Mechanism,
    /// Someone has taken TLS off the connection.
    #[error("the server offers SCRAM-SHA-256-PLUS on a connection without TLS")]
    Stripped,
    /// The configuration demands a binding.
    #[error(
        "the server does not bind the authentication, but upstream.tls.channel_binding demands it"
    )]
    Unbound,
    /// It has let pgveil in without a proof, so nothing says who it is.
    #[error(
        "the server asks for no proof of the role; let it ask for SCRAM, or write auth.require_scram = false"
    )]
    Unproven,
    /// The role has got another password since the file was written.
    #[error("the role's verifier on the server is not the one that pgveil has: renew the file")]
    Stale,
    /// The server does not know the role's verifier.
    #[error("the server did not prove that it knows the role's verifier")]
    Impostor,
    /// The server's message has the wrong layout.
    #[error("the server sent a malformed SCRAM message")]
    Malformed,
}

/// An exchange that begins.
#[derive(Debug)]
pub(in crate::proxy) struct Login {
    mechanism: &'static str,
    /// The header of RFC 5801: whether and how the connection is bound.
    header: String,
    end_point: Vec<u8>,
    nonce: String,
}

/// An exchange in which only the server's proof is due.
#[derive(Debug)]
pub(in crate::proxy) struct Expected([u8; 32]);

impl Login {
    /// Chooses a mechanism. `end_point` is what the connection can be bound to.
    pub(in crate::proxy) fn new(
        offered: &[&str],
        end_point: Option<Vec<u8>>,
        is_encrypted: bool,
        is_required: bool,
        nonce: &str,
    ) -> Result<Self, LoginError> {
        let offers_plus = offered.contains(&PLUS);
        if offers_plus && !is_encrypted {
            return Err(LoginError::Stripped);
        }
        let (mechanism, header, end_point) = match end_point {
            Some(end_point) if offers_plus => (PLUS, format!("p={BINDING},,"), end_point),
            _ if is_required => return Err(LoginError::Unbound),
            _ if !offered.contains(&PLAIN) => return Err(LoginError::Mechanism),
            // "The client does support channel binding but thinks the server does not": a server
            // that does, and whose offer was changed on the way, refuses.
            Some(_) => (PLAIN, "y,,".to_owned(), Vec::new()),
            None => (PLAIN, "n,,".to_owned(), Vec::new()),
        };
        Ok(Self {
            mechanism,
            header,
            end_point,
            nonce: nonce.to_owned(),
        })
    }

    pub(in crate::proxy) fn mechanism(&self) -> &'static str {
        self.mechanism
    }

    /// The client's first message. It names no role: Postgres takes that of the startup packet.
    pub(in crate::proxy) fn first(&self) -> String {
        format!("{}{}", self.header, self.first_bare())
    }

    fn first_bare(&self) -> String {
        format!("n=,r={}", self.nonce)
    }

    /// Answers the server's first message.
    pub(in crate::proxy) fn answer(
        self,
        server_first: &str,
        credentials: &Credentials,
    ) -> Result<(String, Expected), LoginError> {
        let mut attributes = server_first;
        let nonce = attribute(&mut attributes, 'r').ok_or(LoginError::Malformed)?;
        let salt = attribute(&mut attributes, 's').ok_or(LoginError::Malformed)?;
        let iterations = attribute(&mut attributes, 'i').ok_or(LoginError::Malformed)?;
        // "The client MUST verify that the initial part of the nonce [...] is the same."
        if nonce.len() <= self.nonce.len() || !nonce.starts_with(&self.nonce) {
            return Err(LoginError::Malformed);
        }
        let verifier = &credentials.verifier;
        let salt = BASE64.decode(salt.as_bytes());
        let is_same = salt.is_ok_and(|salt| salt[..] == verifier.salt[..])
            && iterations.parse() == Ok(verifier.iterations);
        if !is_same {
            return Err(LoginError::Stale);
        }
        let binding = [self.header.as_bytes(), &self.end_point].concat();
        let without_proof = format!("c={},r={nonce}", BASE64.encode(&binding));
        let message = auth_message(&self.first_bare(), server_first, &without_proof);
        let signature = hmac(&verifier.stored_key, message.as_bytes());
        let proof = xor(&credentials.client_key, &signature);
        let expected = hmac(verifier.server_key.as_slice(), message.as_bytes());
        let proof = BASE64.encode(proof.as_slice());
        Ok((format!("{without_proof},p={proof}"), Expected(expected)))
    }
}

impl Expected {
    /// Judges the server's last message.
    pub(in crate::proxy) fn verify(&self, server_final: &str) -> Result<(), LoginError> {
        let mut attributes = server_final;
        let signature = attribute(&mut attributes, 'v').and_then(key);
        let signature = signature.ok_or(LoginError::Malformed)?;
        match bool::from(signature.ct_eq(&self.0)) {
            true => Ok(()),
            false => Err(LoginError::Impostor),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::*;
    use super::*;

    fn login(offered: &[&str], end_point: Option<&[u8]>) -> Result<String, LoginError> {
        let end_point = end_point.map(<[u8]>::to_vec);
        let is_encrypted = end_point.is_some();
        Login::new(offered, end_point, is_encrypted, false, "x").map(|login| login.first())
    }

    #[test]
    fn answers_as_in_the_rfc_but_for_the_name() {
        let login = Login::new(&[PLAIN], None, false, false, CLIENT_NONCE).unwrap();
        assert_eq!(login.first(), CLIENT_FIRST.replace("user", ""));
        let (answer, _) = login.answer(SERVER_FIRST, &credentials("pencil")).unwrap();
        let begin = CLIENT_FINAL.split_once(",p=").unwrap().0;
        assert!(answer.starts_with(begin), "{answer}");
    }

    #[test]
    fn binds_where_it_can_and_says_so_where_the_server_cannot() {
        let cert = Some(&b"cert"[..]);
        let plus = "p=tls-server-end-point,,n=,r=x";
        assert_eq!(login(&[PLUS, PLAIN], cert).as_deref(), Ok(plus));
        assert_eq!(login(&[PLAIN], cert).as_deref(), Ok("y,,n=,r=x"));
        assert_eq!(login(&[PLAIN], None).as_deref(), Ok("n,,n=,r=x"));
        assert_eq!(login(&[PLUS, PLAIN], None), Err(LoginError::Stripped));
        assert_eq!(login(&["OAUTHBEARER"], cert), Err(LoginError::Mechanism));
        let required = Login::new(&[PLAIN], Some(vec![1]), true, true, "x");
        assert_eq!(required.err(), Some(LoginError::Unbound));
    }

    #[test]
    fn a_server_with_another_verifier_or_nonce_gets_no_proof() {
        for (first, expected) in [
            (SERVER_FIRST.replace("4096", "4097"), LoginError::Stale),
            (SERVER_FIRST.replace("s=W2", "s=X2"), LoginError::Stale),
            (SERVER_FIRST.replace("r=rO", "r=sO"), LoginError::Malformed),
            (
                SERVER_FIRST.replace(SERVER_NONCE, ""),
                LoginError::Malformed,
            ),
            ("m=x".to_owned(), LoginError::Malformed),
        ] {
            let login = Login::new(&[PLAIN], None, false, false, CLIENT_NONCE).unwrap();
            let answer = login.answer(&first, &credentials("pencil"));
            assert_eq!(answer.err(), Some(expected), "{first}");
        }
    }

    #[test]
    fn a_server_without_the_verifier_is_an_impostor() {
        let credentials = credentials("pencil");
        let login = Login::new(&[PLAIN], None, false, false, CLIENT_NONCE).unwrap();
        let (_, expected) = login.answer(SERVER_FIRST, &credentials).unwrap();
        assert_eq!(expected.verify(SERVER_FINAL), Err(LoginError::Impostor));
        assert_eq!(expected.verify("e=other-error"), Err(LoginError::Malformed));
        let own = format!("v={}", BASE64.encode(&expected.0));
        assert_eq!(expected.verify(&own), Ok(()));
    }
}
