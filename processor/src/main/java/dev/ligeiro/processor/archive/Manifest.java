package dev.ligeiro.processor.archive;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.TransactionFields;
import java.time.YearMonth;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.bson.Document;
import org.bson.json.JsonWriterSettings;

/** What a month's files have, for those who read them without MongoDB. */
record Manifest(YearMonth month, int generation, List<ArchivedPart> parts) {

    static final String FILE_NAME = "manifest.json";

    private static final int FORMAT = 1;
    private static final JsonWriterSettings INDENTED =
            JsonWriterSettings.builder().indent(true).build();

    long transactions() {
        return parts.stream().mapToLong(ArchivedPart::transactions).sum();
    }

    long bytes() {
        return parts.stream().mapToLong(ArchivedPart::bytes).sum();
    }

    byte[] json() {
        Map<String, Long> statuses = new TreeMap<>();
        parts.forEach(part -> part.statuses().forEach((status, number) -> statuses.merge(status, number, Long::sum)));
        return new Document("format", FORMAT)
                .append("collection", CollectionNames.TRANSACTIONS)
                .append("month", month.toString())
                .append("generation", generation)
                .append("lines", "MongoDB Extended JSON, canonical")
                .append("transactions", transactions())
                .append("bytes", bytes())
                .append("first_id", parts.get(0).first().toString())
                .append("last_id", parts.get(parts.size() - 1).last().toString())
                .append(TransactionFields.STATUS, new Document(statuses))
                .append("files", parts.stream().map(Manifest::described).toList())
                .toJson(INDENTED)
                .getBytes(UTF_8);
    }

    private static Document described(ArchivedPart part) {
        return new Document("file", part.fileName())
                .append("transactions", part.transactions())
                .append("first_id", part.first().toString())
                .append("last_id", part.last().toString())
                .append("bytes", part.bytes())
                .append("sha256", part.sha256())
                .append(TransactionFields.STATUS, new Document(part.statuses()));
    }
}
