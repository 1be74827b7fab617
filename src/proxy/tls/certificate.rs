//! The few fields of an X.509 certificate (RFC 5280) that TLS itself does not look at: its names
//! as libpq compares them, and the hash that binds a password to it. Verifies no signature.
//!
//! The bytes come from a peer that may be hostile: every step is checked, and what does not fit
//! reads as absent.

use std::net::IpAddr;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use sha2::{Digest, Sha224, Sha256, Sha384, Sha512};

const INTEGER: u8 = 0x02;
const OID: u8 = 0x06;
const UTF8_STRING: u8 = 0x0c;
const PRINTABLE_STRING: u8 = 0x13;
const T61_STRING: u8 = 0x14;
const IA5_STRING: u8 = 0x16;
const UTC_TIME: u8 = 0x17;
const GENERALIZED_TIME: u8 = 0x18;
const SEQUENCE: u8 = 0x30;
const SET: u8 = 0x31;
const VERSION: u8 = 0xa0;
const EXTENSIONS: u8 = 0xa3;
const DNS_NAME: u8 = 0x82;
const IP_ADDRESS: u8 = 0x87;

const COMMON_NAME: &[u8] = &[0x55, 4, 3];
const SUBJECT_ALT_NAME: &[u8] = &[0x55, 0x1d, 0x11];
const PKCS1: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1];
const ECDSA: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 4];
const SHA2: &[u8] = &[0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2];

/// The fields of a certificate that are of interest.
#[derive(Debug)]
pub(super) struct Certificate<'a> {
    whole: &'a [u8],
    /// AlgorithmIdentifier of the signature.
    algorithm: &'a [u8],
    validity: &'a [u8],
    subject: &'a [u8],
    /// GeneralNames.
    alternatives: &'a [u8],
}

impl<'a> Certificate<'a> {
    /// Reads a certificate in DER; `None` if its layout is another.
    pub(super) fn read(whole: &'a [u8]) -> Option<Self> {
        let mut certificate = Der(Der(whole).take(SEQUENCE)?);
        let mut tbs = Der(certificate.take(SEQUENCE)?);
        let algorithm = certificate.take(SEQUENCE)?;
        let _version = tbs.take(VERSION);
        let _serial = tbs.take(INTEGER)?;
        let _algorithm = tbs.take(SEQUENCE)?;
        let _issuer = tbs.take(SEQUENCE)?;
        let validity = tbs.take(SEQUENCE)?;
        let subject = tbs.take(SEQUENCE)?;
        let _key = tbs.take(SEQUENCE)?;
        let mut alternatives: &[u8] = &[];
        while let Some((tag, content)) = tbs.next() {
            if tag == EXTENSIONS {
                let mut extensions = Der(Der(content).take(SEQUENCE)?);
                while let Some(extension) = extensions.take(SEQUENCE) {
                    let mut extension = Der(extension);
                    if extension.take(OID)? == SUBJECT_ALT_NAME {
                        let (_, value) = extension.last()?;
                        alternatives = Der(value).take(SEQUENCE)?;
                    }
                }
            }
        }
        Some(Self {
            whole,
            algorithm,
            validity,
            subject,
            alternatives,
        })
    }

    /// The data of the channel binding `tls-server-end-point` (RFC 5929, section 4.1): the hash
    /// of the certificate with the hash function of its signature. `None` where that function is
    /// not defined, as for Ed25519.
    pub(super) fn end_point(&self) -> Option<Vec<u8>> {
        let mut algorithm = Der(self.algorithm);
        let oid = algorithm.take(OID)?;
        let size = if let Some(scheme) = oid.strip_prefix(PKCS1) {
            match scheme {
                // "If the certificate's signatureAlgorithm uses a single hash function, and that
                // hash function is either MD5 or SHA-1, then use SHA-256."
                [4 | 5 | 11] => 256,
                [12] => 384,
                [13] => 512,
                [14] => 224,
                [10] => pss_hash(algorithm.take(SEQUENCE)?)?,
                _ => return None,
            }
        } else {
            match oid.strip_prefix(ECDSA)? {
                [1] | [3, 2] => 256,
                [3, 1] => 224,
                [3, 3] => 384,
                [3, 4] => 512,
                _ => return None,
            }
        };
        Some(match size {
            224 => Sha224::digest(self.whole).to_vec(),
            256 => Sha256::digest(self.whole).to_vec(),
            384 => Sha384::digest(self.whole).to_vec(),
            _ => Sha512::digest(self.whole).to_vec(),
        })
    }

    /// The first common name, if it is text without a zero byte.
    pub(super) fn common_name(&self) -> Option<&'a [u8]> {
        let mut names = Der(self.subject);
        while let Some(set) = names.take(SET) {
            let mut attribute = Der(Der(set).take(SEQUENCE)?);
            if attribute.take(OID)? == COMMON_NAME {
                let (tag, name) = attribute.next()?;
                let is_text = [UTF8_STRING, PRINTABLE_STRING, T61_STRING, IA5_STRING];
                return (is_text.contains(&tag) && !name.contains(&0)).then_some(name);
            }
        }
        None
    }

    /// Whether the certificate is for a host, as libpq judges it
    /// (`pgtls_verify_peer_name_matches_certificate_guts`): by its alternative names, and by its
    /// common name if no alternative name is of the host's kind.
    pub(super) fn is_for(&self, host: &str) -> bool {
        let address: Option<IpAddr> = host.parse().ok();
        let mut alternatives = Der(self.alternatives);
        let mut counts_common_name = true;
        while let Some((tag, name)) = alternatives.next() {
            let kind = if address.is_some() {
                IP_ADDRESS
            } else {
                DNS_NAME
            };
            counts_common_name &= tag != kind;
            let fits = match (tag, address) {
                (DNS_NAME, _) => name_fits(name, host, address.is_none()),
                (IP_ADDRESS, Some(IpAddr::V4(address))) => name == address.octets(),
                (IP_ADDRESS, Some(IpAddr::V6(address))) => name == address.octets(),
                _ => false,
            };
            if fits {
                return true;
            }
        }
        let fits = |name| name_fits(name, host, address.is_none());
        counts_common_name && self.common_name().is_some_and(fits)
    }

    /// Whether a moment, counted from 1970, is within its validity. `None` if that can't be read.
    pub(super) fn is_valid_at(&self, moment: Duration) -> Option<bool> {
        let mut validity = Der(self.validity);
        let moment = i64::try_from(moment.as_secs()).ok()?;
        let begin = seconds(validity.next()?)?;
        let end = seconds(validity.next()?)?;
        Some((begin..=end).contains(&moment))
    }

    /// The same for now.
    pub(super) fn is_valid_now(&self) -> Option<bool> {
        self.is_valid_at(SystemTime::now().duration_since(UNIX_EPOCH).ok()?)
    }
}

/// The hash function in RSASSA-PSS-params (RFC 4055); SHA-1, the default, counts as SHA-256.
fn pss_hash(parameters: &[u8]) -> Option<u32> {
    let Some(hash) = Der(parameters).take(0xa0) else {
        return Some(256);
    };
    match Der(Der(hash).take(SEQUENCE)?).take(OID)?.strip_prefix(SHA2) {
        None | Some([1]) => Some(256),
        Some([2]) => Some(384),
        Some([3]) => Some(512),
        Some([4]) => Some(224),
        Some(_) => None,
    }
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

/// The seconds from 1970 to a time of RFC 5280: `YYMMDDHHMMSSZ` or `YYYYMMDDHHMMSSZ`.
fn seconds((tag, text): (u8, &[u8])) -> Option<i64> {
    let text = std::str::from_utf8(text).ok()?.strip_suffix('Z')?;
    let (year, rest) = match tag {
        UTC_TIME => {
            let (year, rest) = text.split_at_checked(2)?;
            let year: i64 = year.parse().ok()?;
            // "Where YY is greater than or equal to 50, the year SHALL be interpreted as 19YY."
            (if year >= 50 { 1900 + year } else { 2000 + year }, rest)
        }
        GENERALIZED_TIME => {
            let (year, rest) = text.split_at_checked(4)?;
            (year.parse().ok()?, rest)
        }
        _ => return None,
    };
    let part = |at: usize| rest.get(at..at + 2)?.parse::<i64>().ok();
    let (month, day) = (part(0)?, part(2)?);
    let (hour, minute, second) = (part(4)?, part(6)?, part(8)?);
    if rest.len() != 10 || !(1..=12).contains(&month) {
        return None;
    }
    // Days from the first of March of year 0: then a leap day is the last of its year.
    let (year, month) = (year - i64::from(month <= 2), (month + 9) % 12);
    let days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day - 1;
    Some(((days - 719_468) * 24 + hour) * 3600 + minute * 60 + second)
}

/// A sequence of elements in DER.
struct Der<'a>(&'a [u8]);

impl<'a> Der<'a> {
    /// Takes the next element: tag and content.
    fn next(&mut self) -> Option<(u8, &'a [u8])> {
        let (&[tag, first], mut rest) = self.0.split_first_chunk::<2>()?;
        let mut length = usize::from(first);
        if first >= 0x80 {
            // No certificate is larger than three bytes can tell.
            let (bytes, after) = rest.split_at_checked(usize::from(first & 0x7f))?;
            if bytes.is_empty() || bytes.len() > 3 {
                return None;
            }
            length = bytes
                .iter()
                .fold(0, |length, byte| length << 8 | usize::from(*byte));
            rest = after;
        }
        let (content, rest) = rest.split_at_checked(length)?;
        self.0 = rest;
        Some((tag, content))
    }

    /// Takes the next element if it has this tag: its content.
    fn take(&mut self, wanted: u8) -> Option<&'a [u8]> {
        if self.0.first() != Some(&wanted) {
            return None;
        }
        self.next().map(|(_, content)| content)
    }

    /// Takes all: the last element.
    fn last(&mut self) -> Option<(u8, &'a [u8])> {
        let mut last = None;
        while let Some(element) = self.next() {
            last = Some(element);
        }
        last
    }
}

#[cfg(test)]
mod tests {
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
        for (common_name, alternatives, host, fits) in [
            ("db.example", &[][..], "db.example", true),
            ("db.example", &[], "DB.Example", true),
            ("db.example", &[], "other.example", false),
            ("db.example", &[dns("other.example")], "db.example", false),
            ("db.example", &[dns("other.example")], "other.example", true),
            ("db.example", &address, "db.example", true),
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

    #[test]
    fn the_hash_of_rsa_pss_is_in_its_parameters() {
        // AlgorithmIdentifier of SHA-384 within [0].
        let sha384 = [&[0xa0, 0x0d, 0x30, 0x0b, 0x06, 0x09][..], SHA2, &[2]].concat();
        assert_eq!(pss_hash(&sha384), Some(384));
        assert_eq!(pss_hash(&[]), Some(256));
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
            assert_eq!(certificate.is_valid_at(moment), Some(valid), "{moment:?}");
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
