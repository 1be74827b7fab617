//! The checks themselves: each must notice what is planted for it, and nothing before.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use crate::bank::{self, Bank, Id, Transfer};
use crate::random::Random;
use crate::{Ground, audit, connect, ground, ids};

/// Some clients at work for a moment, and what is wrong afterwards. Each run needs a seed of its own.
async fn work(ground: &Ground, seed: u64, ids: Vec<Id>, planted: Option<Transfer>) -> Vec<String> {
    let bank = Arc::new(Bank {
        ids,
        ..Bank::default()
    });
    bank.open.store(true, Ordering::Relaxed);
    let client = |name| tokio::spawn(bank::client(Arc::clone(&bank), ground.outer, name, seed));
    let clients: Vec<_> = (0..8).map(client).collect();
    tokio::time::sleep(Duration::from_millis(1500)).await;
    bank.open.store(false, Ordering::Relaxed);
    for client in clients {
        client.await.unwrap();
    }
    let mut acknowledged = bank.acknowledged.lock().unwrap().clone();
    assert!(!acknowledged.is_empty(), "nothing was done");
    acknowledged.extend(planted);
    *bank.acknowledged.lock().unwrap() = acknowledged;
    audit(&ground.stage.victim.url(), &bank).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_checks_notice_what_is_planted_for_them() {
    // The relay looks for a word that does come, in the place of a key.
    let needles = vec![b"TimeZone".to_vec()];
    let ground = ground(8, Random(7), needles).await;
    let known = ids(ground.stage.port).await;
    assert_eq!(ground.before.leaks.load(Ordering::Relaxed), 0);
    assert_eq!(
        work(&ground, 1, known.clone(), None).await,
        Vec::<String>::new()
    );
    assert!(ground.before.leaks.load(Ordering::Relaxed) > 0, "a leak");

    let lost = Transfer {
        reference: "never stored".to_owned(),
        from: 1,
        to: 2,
        amount: 3,
    };
    let wrong = work(&ground, 2, known.clone(), Some(lost)).await;
    assert!(
        matches!(&wrong[..], [one] if one.contains("never stored")),
        "{wrong:?}"
    );

    // Every second client's answers are those of another account.
    let mut crossed = known.clone();
    for pair in crossed.chunks_exact_mut(2) {
        pair.swap(0, 1);
    }
    let wrong = work(&ground, 3, crossed, None).await;
    assert!(
        wrong.iter().any(|one| one.contains("came back as")),
        "{wrong:?}"
    );

    let admin = connect(&ground.stage.victim.url()).await;
    let plant = "UPDATE accounts SET balance = balance + 1 WHERE number = 5";
    admin.batch_execute(plant).await.unwrap();
    let wrong = work(&ground, 4, known.clone(), None).await;
    let money = wrong.iter().any(|one| one.contains("all money"));
    let ledger = wrong
        .iter()
        .any(|one| one.contains("differ from the ledger"));
    assert!(money && ledger, "{wrong:?}");

    let plant = "UPDATE accounts SET balance = balance - 1 WHERE number = 5;
        UPDATE accounts SET number = -1 WHERE number = 7;
        UPDATE accounts SET number = 7 WHERE number = 8;
        UPDATE accounts SET number = 8 WHERE number = -1";
    admin.batch_execute(plant).await.unwrap();
    let wrong = work(&ground, 5, known, None).await;
    assert!(
        wrong.iter().any(|one| one.contains("7 came back as 8")),
        "{wrong:?}"
    );
}
