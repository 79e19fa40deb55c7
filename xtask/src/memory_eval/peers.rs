//! What one would use instead.

use std::collections::HashMap;

use rusqlite::Connection;

use super::{DEPTH, Engine, Text};

/// SQLite's FTS5 with its trigram tokenizer: any trigram of the query may match, bm25 orders.
pub(super) struct Trigrams(Connection);

impl Trigrams {
    pub(super) fn new(texts: &[Text]) -> Result<Self, String> {
        let build = || -> rusqlite::Result<Connection> {
            let mut connection = Connection::open_in_memory()?;
            connection.execute_batch(
                "CREATE VIRTUAL TABLE sections USING fts5(file UNINDEXED, heading UNINDEXED, text, tokenize='trigram')",
            )?;
            let transaction = connection.transaction()?;
            for one in texts {
                let row = (&one.file, &one.heading, &one.text);
                transaction.execute("INSERT INTO sections VALUES (?1, ?2, ?3)", row)?;
            }
            transaction.commit()?;
            Ok(connection)
        };
        build().map(Self).map_err(|error| error.to_string())
    }
}

impl Engine for Trigrams {
    fn name(&self) -> &'static str {
        "FTS5 trigram"
    }

    fn search(&self, query: &str) -> Result<Vec<(String, String)>, String> {
        let mut trigrams = Vec::new();
        for word in query.split_whitespace() {
            let chars: Vec<char> = word.chars().collect();
            let quoted = |chars: &[char]| format!("\"{}\"", chars.iter().collect::<String>().replace('"', "\"\""));
            trigrams.extend(chars.windows(3).map(quoted));
        }
        if trigrams.is_empty() {
            return Ok(Vec::new());
        }
        let find = || -> rusqlite::Result<Vec<(String, String)>> {
            let sql = format!("SELECT file, heading FROM sections WHERE sections MATCH ?1 ORDER BY rank LIMIT {DEPTH}");
            let mut statement = self.0.prepare_cached(&sql)?;
            let rows = statement.query_map([trigrams.join(" OR ")], |row| Ok((row.get(0)?, row.get(1)?)))?;
            rows.collect()
        };
        find().map_err(|error| error.to_string())
    }
}

/// BM25 over lower-case words between anything that is no letter or digit.
pub(super) struct PlainBm25 {
    names: Vec<(String, String)>,
    lengths: Vec<f64>,
    average: f64,
    postings: HashMap<String, Vec<(usize, f64)>>,
}

fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase)
}

impl PlainBm25 {
    pub(super) fn new(texts: &[Text]) -> Self {
        let mut postings: HashMap<String, Vec<(usize, f64)>> = HashMap::new();
        let mut lengths = Vec::new();
        for (document, one) in texts.iter().enumerate() {
            let mut counts: HashMap<String, f64> = HashMap::new();
            words(&one.text).for_each(|word| *counts.entry(word).or_default() += 1.0);
            lengths.push(counts.values().sum());
            counts.into_iter().for_each(|(word, count)| postings.entry(word).or_default().push((document, count)));
        }
        let average = lengths.iter().sum::<f64>() / lengths.len().max(1) as f64;
        let names = texts.iter().map(|one| (one.file.clone(), one.heading.clone())).collect();
        Self { names, lengths, average, postings }
    }
}

impl Engine for PlainBm25 {
    fn name(&self) -> &'static str {
        "plain BM25"
    }

    fn search(&self, query: &str) -> Result<Vec<(String, String)>, String> {
        let all = self.names.len() as f64;
        let mut scores = vec![0.0; self.names.len()];
        for found in words(query).filter_map(|word| self.postings.get(&word)) {
            let having = found.len() as f64;
            let idf = (1.0 + (all - having + 0.5) / (having + 0.5)).ln();
            for (document, count) in found {
                let slack = 1.2 * (0.25 + 0.75 * self.lengths[*document] / self.average);
                scores[*document] += idf * count * 2.2 / (count + slack);
            }
        }
        let mut order: Vec<usize> = (0..scores.len()).filter(|document| scores[*document] > 0.0).collect();
        order.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]));
        Ok(order.into_iter().take(DEPTH).map(|document| self.names[document].clone()).collect())
    }
}
