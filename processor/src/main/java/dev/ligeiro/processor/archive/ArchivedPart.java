package dev.ligeiro.processor.archive;

import dev.ligeiro.store.TransactionFields;
import java.time.YearMonth;
import java.util.Map;
import java.util.UUID;
import org.bson.Document;
import org.bson.RawBsonDocument;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriterSettings;

/**
 * One file of an archived month: JSON Lines, compressed with zstd. A line is a stored transaction as canonical MongoDB Extended JSON, which
 * keeps all types and the order of the fields.
 *
 * @param number from 1
 * @param first the lowest id
 * @param last the highest id
 * @param bytes the size of the file
 * @param sha256 of the file, in hex digits
 * @param statuses the number of transactions in each status
 */
record ArchivedPart(
        int number, UUID first, UUID last, long transactions, long bytes, String sha256, Map<String, Long> statuses) {

    private static final JsonWriterSettings CANONICAL =
            JsonWriterSettings.builder().outputMode(JsonMode.EXTENDED).build();

    static String line(RawBsonDocument transaction) {
        return transaction.toJson(CANONICAL);
    }

    static RawBsonDocument transaction(String line) {
        return RawBsonDocument.parse(line);
    }

    /** @param generation how often the month was archived, with this time */
    static String folder(YearMonth month, int generation) {
        return generation == 1 ? month.toString() : month + "-" + generation;
    }

    static String fileName(int number) {
        return String.format("part-%04d.jsonl.zst", number);
    }

    /** As in the manifest. */
    Document described() {
        return new Document("file", fileName(number))
                .append("transactions", transactions)
                .append("first_id", first.toString())
                .append("last_id", last.toString())
                .append("bytes", bytes)
                .append("sha256", sha256)
                .append(TransactionFields.STATUS, new Document(statuses));
    }
}
