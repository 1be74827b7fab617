//! The few fields of an X.509 certificate (RFC 5280) that TLS itself does not look at: its names
//! as libpq compares them, and the hash that binds a password to it. Verifies no signature.
//!
//! The bytes come from a peer that may be hostile: what `x509-cert` does not read as a certificate
//! is none, dates before 1970 among it.

use std::net::IpAddr;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use sha2::{Digest, Sha224, Sha256, Sha384, Sha512};
use x509_cert::certificate::{CertificateInner, Raw};
use x509_cert::der::asn1::{Any, ContextSpecific};
use x509_cert::der::oid::ObjectIdentifier;
use x509_cert::der::oid::db::rfc4519::COMMON_NAME;
use x509_cert::der::oid::db::rfc5912::{
    ECDSA_WITH_SHA_224, ECDSA_WITH_SHA_256, ECDSA_WITH_SHA_384, ECDSA_WITH_SHA_512,
    ID_CE_SUBJECT_ALT_NAME, ID_RSASSA_PSS, ID_SHA_224, ID_SHA_256, ID_SHA_384, ID_SHA_512,
    MD_5_WITH_RSA_ENCRYPTION, SHA_1_WITH_RSA_ENCRYPTION, SHA_224_WITH_RSA_ENCRYPTION,
    SHA_256_WITH_RSA_ENCRYPTION, SHA_384_WITH_RSA_ENCRYPTION, SHA_512_WITH_RSA_ENCRYPTION,
};
use x509_cert::der::{Decode, SliceReader, Tag, TagNumber, Tagged};
use x509_cert::spki::AlgorithmIdentifierOwned;

const MD5: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.2.5");
const SHA1: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.14.3.2.26");
const ECDSA_WITH_SHA_1: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.10045.4.1");

/// The kinds of GeneralName (RFC 5280, section 4.2.1.6) that name a host.
const DNS_NAME: Tag = name_kind(2);
const IP_ADDRESS: Tag = name_kind(7);

const fn name_kind(number: u32) -> Tag {
    Tag::ContextSpecific {
        constructed: false,
        number: TagNumber(number),
    }
}

/// A certificate, read as far as that is of interest.
#[derive(Debug)]
pub(super) struct Certificate<'a> {
    whole: &'a [u8],
    fields: CertificateInner<Raw>,
    /// The alternative names, whatever they name: libpq ignores those of other kinds, and a fault
    /// in one of them does no harm to the rest.
    alternatives: Vec<Any>,
}

impl<'a> Certificate<'a> {
    /// Reads a certificate in DER; `None` if its layout is another.
    pub(super) fn read(whole: &'a [u8]) -> Option<Self> {
        let fields = CertificateInner::<Raw>::from_der(whole).ok()?;
        let extensions = fields.tbs_certificate().extensions().into_iter().flatten();
        let mut naming = extensions.filter(|one| one.extn_id == ID_CE_SUBJECT_ALT_NAME);
        let alternatives = match naming.next() {
            Some(names) => Vec::from_der(names.extn_value.as_bytes()).ok()?,
            None => Vec::new(),
        };
        // "A certificate MUST NOT include more than one instance of a particular extension."
        if naming.next().is_some() {
            return None;
        }
        Some(Self {
            whole,
            fields,
            alternatives,
        })
    }

    /// The data of the channel binding `tls-server-end-point` (RFC 5929, section 4.1): the hash
    /// of the certificate with the hash function of its signature. `None` where that function is
    /// not defined, as for Ed25519.
    pub(super) fn end_point(&self) -> Option<Vec<u8>> {
        Some(match signature_hash(self.fields.signature_algorithm())? {
            ID_SHA_224 => Sha224::digest(self.whole).to_vec(),
            // "If the certificate's signatureAlgorithm uses a single hash function, and that
            // hash function is either MD5 or SHA-1, then use SHA-256."
            MD5 | SHA1 | ID_SHA_256 => Sha256::digest(self.whole).to_vec(),
            ID_SHA_384 => Sha384::digest(self.whole).to_vec(),
            ID_SHA_512 => Sha512::digest(self.whole).to_vec(),
            _ => return None,
        })
    }

    /// The first common name, if it is text without a zero byte.
    pub(super) fn common_name(&self) -> Option<&[u8]> {
        let mut attributes = self.fields.tbs_certificate().subject().iter();
        let name = &attributes.find(|one| one.oid == COMMON_NAME)?.value;
        let text = [
            Tag::Utf8String,
            Tag::PrintableString,
            Tag::TeletexString,
            Tag::Ia5String,
        ];
        let is_text = text.contains(&name.tag()) && !name.value().contains(&0);
        is_text.then(|| name.value())
    }

    /// Whether the certificate is for a host, as libpq judges it
    /// (`pgtls_verify_peer_name_matches_certificate_guts`): by its alternative names, and by its
    /// common name if no alternative name is of the host's kind.
    pub(super) fn is_for(&self, host: &str) -> bool {
        let address: Option<IpAddr> = host.parse().ok();
        let kind = if address.is_some() {
            IP_ADDRESS
        } else {
            DNS_NAME
        };
        let fits = |name: &Any| match (name.tag(), address) {
            (DNS_NAME, _) => name_fits(name.value(), host, address.is_none()),
            (IP_ADDRESS, Some(IpAddr::V4(address))) => name.value() == address.octets(),
            (IP_ADDRESS, Some(IpAddr::V6(address))) => name.value() == address.octets(),
            _ => false,
        };
        let counts_common_name = self.alternatives.iter().all(|name| name.tag() != kind);
        let common_name = self.common_name().filter(|_| counts_common_name);
        self.alternatives.iter().any(fits)
            || common_name.is_some_and(|name| name_fits(name, host, address.is_none()))
    }

    /// Whether a moment, counted from 1970, is within its validity.
    pub(super) fn is_valid_at(&self, moment: Duration) -> bool {
        let validity = self.fields.tbs_certificate().validity();
        let begin = validity.not_before.to_unix_duration();
        let end = validity.not_after.to_unix_duration();
        (begin..=end).contains(&Duration::from_secs(moment.as_secs()))
    }

    /// Whether the certificate is valid at this moment.
    pub(super) fn is_valid_now(&self) -> bool {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        now.is_ok_and(|now| self.is_valid_at(now))
    }
}

/// The hash function of a signature; `None` if it has none of its own.
fn signature_hash(algorithm: &AlgorithmIdentifierOwned) -> Option<ObjectIdentifier> {
    Some(match algorithm.oid {
        MD_5_WITH_RSA_ENCRYPTION => MD5,
        SHA_1_WITH_RSA_ENCRYPTION | ECDSA_WITH_SHA_1 => SHA1,
        SHA_224_WITH_RSA_ENCRYPTION | ECDSA_WITH_SHA_224 => ID_SHA_224,
        SHA_256_WITH_RSA_ENCRYPTION | ECDSA_WITH_SHA_256 => ID_SHA_256,
        SHA_384_WITH_RSA_ENCRYPTION | ECDSA_WITH_SHA_384 => ID_SHA_384,
        SHA_512_WITH_RSA_ENCRYPTION | ECDSA_WITH_SHA_512 => ID_SHA_512,
        ID_RSASSA_PSS => pss_hash(algorithm.parameters.as_ref()?.value())?,
        _ => return None,
    })
}

/// The hash function in RSASSA-PSS-params (RFC 4055), which is SHA-1 unless they say another.
fn pss_hash(parameters: &[u8]) -> Option<ObjectIdentifier> {
    type Hash = ContextSpecific<AlgorithmIdentifierOwned>;
    let mut reader = SliceReader::new(parameters).ok()?;
    let hash = Hash::decode_explicit(&mut reader, TagNumber(0)).ok()?;
    Some(hash.map_or(SHA1, |hash| hash.value.oid))
}

/// Compares without regard to case. A wildcard stands for exactly the first label
/// (`wildcard_certificate_match`), and never for a part of an address.
fn name_fits(name: &[u8], host: &str, wildcards: bool) -> bool {
    let host = host.as_bytes();
    if let Some(rest) = name
        .strip_prefix(b"*")
        .filter(|rest| wildcards && rest.len() > 1)
    {
        let Some((label, tail)) = host
            .len()
            .checked_sub(rest.len())
            .and_then(|at| host.split_at_checked(at))
        else {
            return false;
        };
        return rest.starts_with(b".")
            && !label.is_empty()
            && !label.contains(&b'.')
            && tail.eq_ignore_ascii_case(rest);
    }
    name.eq_ignore_ascii_case(host)
}

#[cfg(test)]
mod tests {
    use std::slice::from_ref;

    use rcgen::string::Ia5String;
    use rcgen::{
        CertificateParams, DnType, KeyPair, PKCS_ECDSA_P256_SHA256, PKCS_ECDSA_P384_SHA384,
        PKCS_ED25519, SanType, SignatureAlgorithm,
    };

    use super::*;

    fn made(
        algorithm: &'static SignatureAlgorithm,
        common_name: &str,
        alternatives: &[SanType],
    ) -> Vec<u8> {
        let mut params = CertificateParams::default();
        params.distinguished_name = rcgen::DistinguishedName::new();
        params
            .distinguished_name
            .push(DnType::OrganizationName, "before it");
        params
            .distinguished_name
            .push(DnType::CommonName, common_name);
        params.subject_alt_names = alternatives.to_vec();
        params.not_before = rcgen::date_time_ymd(2024, 2, 29);
        params.not_after = rcgen::date_time_ymd(2050, 3, 1);
        let key = KeyPair::generate_for(algorithm).unwrap();
        params.self_signed(&key).unwrap().der().to_vec()
    }

    fn dns(name: &str) -> SanType {
        SanType::DnsName(Ia5String::try_from(name).unwrap())
    }

    #[test]
    fn a_certificate_is_for_the_names_that_libpq_takes() {
        let address = [SanType::IpAddress("10.0.0.1".parse().unwrap())];
        let mail = SanType::Rfc822Name(Ia5String::try_from("dba@example").unwrap());
        for (common_name, alternatives, host, fits) in [
            ("db.example", &[][..], "db.example", true),
            ("db.example", &[], "DB.Example", true),
            ("db.example", &[], "other.example", false),
            ("db.example", &[dns("other.example")], "db.example", false),
            ("db.example", &[dns("other.example")], "other.example", true),
            ("db.example", &address, "db.example", true),
            ("db.example", from_ref(&mail), "db.example", true),
            ("dba@example", from_ref(&mail), "example", false),
            ("x", &[mail.clone(), dns("y")], "y", true),
            ("10.0.0.1", &[], "10.0.0.1", true),
            ("10.0.0.2", &address, "10.0.0.2", false),
            ("x", &address, "10.0.0.1", true),
            ("x", &[dns("10.0.0.1")], "10.0.0.1", true),
            ("x", &[dns("*.example")], "db.example", true),
            ("x", &[dns("*.example")], "a.db.example", false),
            ("x", &[dns("*.example")], ".example", false),
            ("x", &[dns("*.example")], "example", false),
            ("x", &[dns("*")], "example", false),
            ("x", &[dns("d*.example")], "db.example", false),
            ("x", &[dns("*.0.0.1")], "10.0.0.1", false),
            (
                "x",
                &[SanType::IpAddress("::1".parse().unwrap())],
                "::1",
                true,
            ),
        ] {
            let der = made(&PKCS_ECDSA_P256_SHA256, common_name, alternatives);
            let certificate = Certificate::read(&der).unwrap();
            assert_eq!(
                certificate.is_for(host),
                fits,
                "{common_name} {alternatives:?} for {host}"
            );
            assert_eq!(certificate.common_name(), Some(common_name.as_bytes()));
        }
    }

    #[test]
    fn the_hash_of_the_binding_is_that_of_the_signature() {
        let length = |algorithm| {
            let der = made(algorithm, "x", &[]);
            let binding = Certificate::read(&der).unwrap().end_point()?;
            let hash = match binding.len() {
                32 => Sha256::digest(&der).to_vec(),
                _ => Sha384::digest(&der).to_vec(),
            };
            assert_eq!(binding, hash);
            Some(binding.len())
        };
        assert_eq!(length(&PKCS_ECDSA_P256_SHA256), Some(32));
        assert_eq!(length(&PKCS_ECDSA_P384_SHA384), Some(48));
        assert_eq!(length(&PKCS_ED25519), None);
    }

    /// Identifiers from RFC 3279, RFC 5758, RFC 4055 and RFC 8410.
    #[test]
    fn every_signature_with_one_hash_is_known_and_no_other() {
        for (signature, hash) in [
            ("1.2.840.113549.1.1.4", Some(MD5)),
            ("1.2.840.113549.1.1.5", Some(SHA1)),
            ("1.2.840.113549.1.1.14", Some(ID_SHA_224)),
            ("1.2.840.113549.1.1.11", Some(ID_SHA_256)),
            ("1.2.840.113549.1.1.12", Some(ID_SHA_384)),
            ("1.2.840.113549.1.1.13", Some(ID_SHA_512)),
            ("1.2.840.10045.4.1", Some(SHA1)),
            ("1.2.840.10045.4.3.1", Some(ID_SHA_224)),
            ("1.2.840.10045.4.3.2", Some(ID_SHA_256)),
            ("1.2.840.10045.4.3.3", Some(ID_SHA_384)),
            ("1.2.840.10045.4.3.4", Some(ID_SHA_512)),
            // RSASSA-PSS without its parameters, Ed25519, Ed448, and one that nobody has.
            ("1.2.840.113549.1.1.10", None),
            ("1.3.101.112", None),
            ("1.3.101.113", None),
            ("1.2.3", None),
        ] {
            let algorithm = AlgorithmIdentifierOwned {
                oid: ObjectIdentifier::new(signature).unwrap(),
                parameters: None,
            };
            assert_eq!(signature_hash(&algorithm), hash, "{signature}");
        }
    }

    #[test]
    fn the_hash_of_rsa_pss_is_in_its_parameters() {
        // AlgorithmIdentifier within [0].
        let parameters = |hash: ObjectIdentifier| {
            [&[0xa0, 0x0d, 0x30, 0x0b, 0x06, 0x09][..], hash.as_bytes()].concat()
        };
        assert_eq!(pss_hash(&parameters(ID_SHA_384)), Some(ID_SHA_384));
        assert_eq!(pss_hash(&[]), Some(SHA1));
    }

    #[test]
    fn a_certificate_is_valid_between_its_dates() {
        let der = made(&PKCS_ECDSA_P256_SHA256, "x", &[]);
        let certificate = Certificate::read(&der).unwrap();
        // The first of March 2050 is past what UTCTime can tell.
        let (begin, end) = (1_709_164_800, 2_529_705_600);
        for (moment, valid) in [
            (begin - 1, false),
            (begin, true),
            (end, true),
            (end + 1, false),
        ] {
            let moment = Duration::from_secs(moment);
            assert_eq!(certificate.is_valid_at(moment), valid, "{moment:?}");
        }
    }

    #[test]
    fn no_truncated_or_spoilt_certificate_makes_it_stumble() {
        let der = made(&PKCS_ECDSA_P256_SHA256, "x", &[dns("y")]);
        for length in 0..der.len() {
            assert!(Certificate::read(&der[..length]).is_none());
            for byte in [0, 0x7f, 0x80, 0x84, 0xff] {
                let mut spoilt = der.clone();
                spoilt[length] = byte;
                if let Some(certificate) = Certificate::read(&spoilt) {
                    certificate.is_for("y");
                    certificate.is_valid_at(Duration::from_secs(1));
                    certificate.end_point();
                }
            }
        }
    }
}
