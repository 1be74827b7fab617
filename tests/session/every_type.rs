//! Keys and ids of every type: in rows, literals, parameters, arrays and reports.

use crate::kinds::*;
use crate::plans::KINDS;
use crate::stage::*;

#[test]
fn shows_rows_of_every_type_in_both_formats() {
    for Example {
        name,
        key,
        id,
        key_oid,
        id_oid,
        ..
    } in examples()
    {
        for format in [0, 1] {
            let mut stage = stage();
            let text = format!("{name} ids");
            stage.client(
                &[
                    parse("", &text, &[]),
                    bind("", "", &[], &[], &[format]),
                    describe('P', ""),
                    execute(""),
                    sync(),
                ]
                .concat(),
            );
            let oid = table(name);
            let code = i16::try_from(format).unwrap();
            let described =
                |type_oid| columns(&[("id", oid, 1, type_oid), ("n", oid, 2, 25)], code);
            let row_of = |value: &Both| row(&[Some(value.of(format)), Some(b"note")]);
            let null = row(&[None, Some(b"note")]);
            let begin = [frame(b'1', b""), frame(b'2', b"")].concat();
            let rows = |value: &Both| [row_of(value), null.clone(), row_of(value)].concat();
            stage.server(&[begin.clone(), described(key_oid), rows(&key)].concat());
            let mut expected = described(id_oid);
            let (_, _, shown) = KINDS.iter().find(|(kind, ..)| *kind == name).unwrap();
            let size: i16 = match shown.oid() {
                2950 => 16,
                20 => 8,
                _ => -1,
            };
            expected[20..22].copy_from_slice(&size.to_be_bytes());
            let expected = [begin, expected, rows(&id)].concat();
            assert_eq!(legible(&stage.shown_bytes()), legible(&expected), "{name}");
        }
    }
}

#[test]
fn reads_keys_padded_with_blanks_and_bytes_with_escapes() {
    let Example { id, .. } = example("visit");
    // Wider than the key, as a column of character(42) is.
    let padded = "687260e3c6lygg5g7fl7gafj2a2vnwmatncbsqV2  ";
    let escaped = b"\\000\\001'\\\\\"thirty-two bytes of a \\377 tok";
    let token = example("token").id;
    for (name, oid, key, id) in [
        ("visit", 1042, padded.as_bytes(), id),
        ("token", 17, escaped, token),
    ] {
        let mut stage = stage();
        stage.client(&query(&format!("{name} ids")));
        stage.server(&columns(&[("id", 0, 0, oid), ("n", 0, 0, 25)], 0));
        stage.server(&row(&[Some(key), None]));
        let shown = stage.shown();
        assert_eq!(shown[1], legible(&row(&[Some(&id.text), None]))[0]);
    }
}

#[test]
fn shows_arrays_of_every_type_in_both_formats() {
    for example in examples() {
        for format in [0, 1] {
            let mut stage = stage();
            let batch = [
                parse("", &format!("{} arrays", example.name), &[]),
                bind("", "", &[], &[], &[format]),
                execute(""),
                sync(),
            ];
            stage.client(&batch.concat());
            let code = i16::try_from(format).unwrap();
            let described = columns(&[("a", 0, 0, example.key_array)], code);
            stage.server(&[frame(b'1', b""), frame(b'2', b""), described].concat());
            stage.shown();
            let (key, id) = (example.key.of(format), example.id.of(format));
            let keys = array(format, example.key_oid, &[Some(key), None, Some(key)]);
            let ids = array(format, example.id_oid, &[Some(id), None, Some(id)]);
            stage.server(&[row(&[Some(&keys)]), row(&[None])].concat());
            let expected = [row(&[Some(&ids)]), row(&[None])].concat();
            assert_eq!(legible(&stage.shown_bytes()), legible(&expected));
        }
    }
}

#[test]
fn takes_literals_of_every_type() {
    for Example {
        name,
        key,
        id,
        sentinel,
        ..
    } in examples()
    {
        let mut stage = stage();
        let id = String::from_utf8(id.text).unwrap();
        stage.client(&query(&format!("{name} by literal '{id}' and more")));
        let key_literal = literal(&key.text);
        assert_eq!(
            stage.sent(),
            [format!("Q {name} by literal {key_literal} and more|")]
        );

        let unknown = match name {
            "event" | "page" => "00000000-0000-0000-0000-000000000000",
            "token" => "\\x01",
            "ticket" => "9007199254740993",
            _ => "nothing",
        };
        stage = self::stage();
        stage.client(&query(&format!("{name} by literal '{unknown}'")));
        let least = literal(&sentinel.text);
        assert_eq!(stage.sent(), [format!("Q {name} by literal {least}|")]);
    }
}

#[test]
fn takes_parameters_of_every_type_in_both_formats() {
    for example in examples() {
        for format in [0, 1] {
            let name = example.name;
            let text = format!("{name} by id $1");
            let id = example.id.of(format);
            let got = sent(&mut stage(), &text, format, id, example.key_oid);
            assert_eq!(got, example.key.of(format));

            let text = format!("{name} by ids $1");
            let ids = array(format, example.id_oid, &[Some(id), None, Some(id)]);
            let key = example.key.of(format);
            let keys = array(format, example.key_oid, &[Some(key), None, Some(key)]);
            let got = sent(&mut stage(), &text, format, &ids, example.key_array);
            assert_eq!(got, keys, "{name}");
        }
        // What the statement casts from text is text in both formats.
        let text = format!("{} by text $1", example.name);
        let got = sent(&mut stage(), &text, 1, &example.id.text, 25);
        assert_eq!(got, example.key.text);
    }
}

#[test]
fn describes_parameters_with_the_types_of_the_ids() {
    for example in examples() {
        for (text, declared, shown) in [
            ("by id $1", example.key_oid, example.id_oid),
            ("by ids $1", example.key_array, example.id_array),
        ] {
            let mut stage = stage();
            let text = format!("{} {text}", example.name);
            stage.client(&[parse("s", &text, &[]), describe('S', "s"), sync()].concat());
            stage.server(&[frame(b'1', b""), parameters(&[declared])].concat());
            assert_eq!(stage.shown()[1], legible(&parameters(&[shown]))[0]);
        }
    }
}

/// The detail of an error about the table of a domain as the client gets it.
fn detail(name: &str, detail: &[u8]) -> Option<String> {
    let mut stage = stage();
    stage.client(&query("something"));
    let detail = String::from_utf8(detail.to_vec()).unwrap();
    let table = format!("{name}s");
    let fields = [
        ('V', "ERROR"),
        ('C', "23505"),
        ('F', "nbtinsert.c"),
        ('s', "public"),
        ('t', &table),
        ('D', &detail),
    ];
    stage.server(&report(b'E', &fields));
    let shown = stage.shown().remove(0);
    let start = shown.find("|D")? + 2;
    Some(shown[start..].split('|').next()?.to_owned())
}

#[test]
fn shows_ids_of_every_type_in_details() {
    for Example { name, key, id, .. } in examples() {
        for (before, between, after) in [
            ("Key (id)=(", "", ") already exists."),
            ("Failing row contains (", ", some note", ")."),
            ("Key (note, id)=(x, ", "", ") already exists."),
        ] {
            let of = |value: &Both| {
                [
                    before.as_bytes(),
                    &value.text,
                    between.as_bytes(),
                    after.as_bytes(),
                ]
                .concat()
            };
            let shown = detail(name, &of(&key));
            assert_eq!(shown, Some(String::from_utf8(of(&id)).unwrap()));
        }
        // Values are not quoted, and long ones are cut off.
        for quoted in [
            "Key (id)=(a, b) already exists.",
            "Failing row contains (\\x0102..., n).",
        ] {
            assert_eq!(detail(name, quoted.as_bytes()), None, "{name}");
        }
    }
}

#[test]
fn masks_what_could_be_a_key_in_the_words_of_users() {
    for name in ["event", "invoice", "visit", "token"] {
        let mut stage = stage_of(&[name]);
        let key = String::from_utf8(example(name).key.text).unwrap();
        let message = format!("no money for {key}, sorry");
        let fields = [('V', "ERROR"), ('C', "P0001"), ('M', message.as_str())];
        stage.client(&query("something"));
        stage.server(&report(b'E', &fields));
        let shown = stage.shown().remove(0);
        assert!(!shown.contains(&key[2..20]), "{shown}");
        assert_eq!(shown.contains("Mno money for ***, sorry|"), name != "token");
        for (payload, passes) in [(key.as_str(), false), ("reload", name != "token")] {
            stage.server(&frame(b'A', format!("\0\0\0\x01c\0{payload}\0").as_bytes()));
            assert_eq!(!stage.shown().is_empty(), passes, "{name} {payload}");
        }
    }
}
