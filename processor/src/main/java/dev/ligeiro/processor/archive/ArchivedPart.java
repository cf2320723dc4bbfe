package dev.ligeiro.processor.archive;

import java.util.Map;
import java.util.UUID;
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

    String fileName() {
        return String.format("part-%04d.jsonl.zst", number);
    }
}
