//! SCRAM-SHA-256 (RFC 5802, RFC 7677), both sides of it, without a password: as a server pgveil
//! checks the proof of a client by the verifier, and learns the ClientKey from it; as a client it
//! proves the same ClientKey to Postgres, whose verifier is the same.
//!
//! ```text
//! ClientProof = ClientKey XOR HMAC(StoredKey, AuthMessage),  StoredKey = H(ClientKey)
//! ```
//!
//! Messages in, messages out; no sockets, and nonces are arguments. Who has a ClientKey can log in
//! as the role until its password changes: it is wiped when it is no longer needed.

mod client;
mod server;

use data_encoding::BASE64;
use hmac::{Hmac, KeyInit, Mac};
use pbkdf2::pbkdf2_hmac;
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use crate::config::Verifier;

pub(super) use client::{Login, LoginError};
pub(super) use server::{Challenge, Offer, ScramError, stand_in};

/// The mechanism without channel binding.
pub(super) const PLAIN: &str = "SCRAM-SHA-256";
/// The mechanism with it.
pub(super) const PLUS: &str = "SCRAM-SHA-256-PLUS";
/// The only kind of binding that Postgres knows (RFC 5929).
const BINDING: &str = "tls-server-end-point";

/// What a client has proven, and what it takes to prove it to someone else.
pub(super) struct Credentials {
    client_key: Zeroizing<[u8; 32]>,
    verifier: Verifier,
}

/// What Postgres takes for new passwords, and for roles that it does not know.
pub(super) const DEFAULT_ITERATIONS: u32 = 4096;

/// No server that is meant well asks for more.
const MOST_ITERATIONS: u32 = 1 << 20;

impl Credentials {
    /// Those of a password, for the salt and the count in the server's first message.
    pub(super) fn of_password(password: &str, server_first: &str) -> Result<Self, LoginError> {
        let mut attributes = server_first;
        attribute(&mut attributes, 'r').ok_or(LoginError::Malformed)?;
        let salt = attribute(&mut attributes, 's').ok_or(LoginError::Malformed)?;
        let iterations = attribute(&mut attributes, 'i').ok_or(LoginError::Malformed)?;
        let salt = BASE64.decode(salt.as_bytes());
        let salt = salt.map_err(|_| LoginError::Malformed)?;
        let iterations = iterations.parse().ok();
        let iterations = iterations.filter(|count| (1..=MOST_ITERATIONS).contains(count));
        let iterations = iterations.ok_or(LoginError::Malformed)?;
        let salted = salted_password(password, &salt, iterations);
        let client_key = Zeroizing::new(hmac(salted.as_slice(), b"Client Key"));
        Ok(Self {
            verifier: Verifier {
                iterations,
                salt: salt.into(),
                stored_key: Sha256::digest(client_key.as_slice()).into(),
                server_key: Zeroizing::new(hmac(salted.as_slice(), b"Server Key")),
            },
            client_key,
        })
    }
}

/// `Hi` of RFC 5802, which is PBKDF2 with one block.
fn salted_password(password: &str, salt: &[u8], iterations: u32) -> Zeroizing<[u8; 32]> {
    let mut salted = Zeroizing::new([0; 32]);
    pbkdf2_hmac::<Sha256>(password.as_bytes(), salt, iterations, salted.as_mut_slice());
    salted
}

/// A nonce: 18 bytes of randomness in printable form, as many as Postgres takes.
pub(super) fn nonce() -> Result<String, getrandom::Error> {
    let mut bytes = [0; 18];
    getrandom::fill(&mut bytes)?;
    Ok(BASE64.encode(&bytes))
}

fn hmac(key: &[u8], message: &[u8]) -> [u8; 32] {
    // HMAC takes a key of any length.
    match Hmac::<Sha256>::new_from_slice(key) {
        Ok(mac) => mac.chain_update(message).finalize().into_bytes().into(),
        Err(_) => unreachable!("HMAC refuses no key"),
    }
}

fn xor(a: &[u8; 32], b: &[u8; 32]) -> Zeroizing<[u8; 32]> {
    let mut result = Zeroizing::new(*a);
    for (byte, other) in result.iter_mut().zip(b) {
        *byte ^= other;
    }
    result
}

/// What both sides sign.
fn auth_message(client_first_bare: &str, server_first: &str, without_proof: &str) -> String {
    format!("{client_first_bare},{server_first},{without_proof}")
}

/// Takes `name=value` off the front of a message, with the comma behind it.
fn attribute<'a>(message: &mut &'a str, name: char) -> Option<&'a str> {
    let rest = message.strip_prefix(name)?.strip_prefix('=')?;
    let (value, rest) = rest.split_once(',').unwrap_or((rest, ""));
    *message = rest;
    Some(value)
}

fn key(text: &str) -> Option<Zeroizing<[u8; 32]>> {
    let bytes = Zeroizing::new(BASE64.decode(text.as_bytes()).ok()?);
    bytes.as_slice().try_into().ok().map(Zeroizing::new)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of RFC 7677, section 3: user `user`, password `pencil`.
    pub(super) const CLIENT_NONCE: &str = "rOprNGfwEbeRWgbNEkqO";
    pub(super) const SERVER_NONCE: &str = "%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0";
    pub(super) const CLIENT_FIRST: &str = "n,,n=user,r=rOprNGfwEbeRWgbNEkqO";
    pub(super) const SERVER_FIRST: &str = "r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,\
                                           s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096";
    pub(super) const CLIENT_FINAL: &str = "c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)\
                                           hNlF$k0,p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=";
    pub(super) const SERVER_FINAL: &str = "v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=";

    /// What a server stores and a client knows.
    pub(super) fn credentials(password: &str) -> Credentials {
        Credentials::of_password(password, SERVER_FIRST).unwrap()
    }

    #[test]
    fn reads_attributes_in_their_order() {
        let mut message = "r=a=b,s=,i=1";
        assert_eq!(attribute(&mut message, 's'), None);
        assert_eq!(attribute(&mut message, 'r'), Some("a=b"));
        assert_eq!(attribute(&mut message, 's'), Some(""));
        assert_eq!(attribute(&mut message, 'i'), Some("1"));
        assert_eq!(attribute(&mut message, 'i'), None);
    }

    /// Both sides of ours, each with its own idea of the binding.
    #[test]
    fn a_role_that_has_proven_itself_here_can_log_in_there() {
        let credentials = credentials("pencil");
        for (mechanisms, end_point) in [
            (&[PLAIN][..], None),
            (&[PLUS, PLAIN], Some(b"cert".to_vec())),
        ] {
            let offer = Offer {
                end_point: end_point.as_deref(),
                is_required: false,
            };
            assert_eq!(offer.mechanisms(), mechanisms);
            let login = Login::new(mechanisms, end_point.clone(), true, false, "abc").unwrap();
            let verifier = credentials.verifier.clone();
            let first = login.first();
            let challenge =
                Challenge::new(&offer, verifier, login.mechanism(), &first, "def").unwrap();
            let (answer, login) = login.answer(&challenge.message, &credentials).unwrap();
            let (learnt, last) = challenge.finish(&answer).unwrap();
            assert_eq!(learnt.client_key, credentials.client_key);
            assert_eq!(login.verify(&last), Ok(()));
            assert_eq!(login.verify(SERVER_FINAL), Err(LoginError::Impostor));
        }
    }
}
