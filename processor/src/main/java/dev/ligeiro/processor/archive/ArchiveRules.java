package dev.ligeiro.processor.archive;

import dev.ligeiro.store.ArchiveFields;
import dev.ligeiro.store.ArchivedCount;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.transaction.Redaction;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;

/** What keeps a transaction in MongoDB, and how archived ones are counted. */
final class ArchiveRules {

    // reasons of a month to wait, beside those of Redaction.Reason
    static final String PERSONAL_DATA = "personal_data";
    static final String UNMATCHED_PAYMENT = "unmatched_payment";
    static final String DAMAGED = "damaged";
    static final String CHANGED = "changed";
    static final String ALTERED_FILE = "altered_file";

    private static final TransactionCodec CODEC = new TransactionCodec();

    private ArchiveRules() {}

    /** Why a transaction must stay; empty if it may leave. */
    static Optional<String> reasonToStay(RawBsonDocument stored, Duration legalPeriod, Instant now) {
        try {
            Transaction transaction = stored.decode(CODEC);
            return Redaction.held(transaction, legalPeriod, now)
                    .map(held -> held.reason().code())
                    .or(() -> Redaction.of(transaction).equals(transaction)
                            ? Optional.empty()
                            : Optional.of(PERSONAL_DATA));
        } catch (RuntimeException damaged) {
            return Optional.of(DAMAGED);
        }
    }

    /** What these transactions add to the counts that are kept: see {@link ArchivedCount}. */
    static void count(int generation, List<RawBsonDocument> transactions, Map<BsonDocument, Map<String, Long>> added) {
        for (RawBsonDocument stored : transactions) {
            Transaction transaction = stored.decode(CODEC);
            TransactionId id = transaction.id();
            YearMonth month = ArchiveFields.month(id);
            int day = id.createdAt().atOffset(ZoneOffset.UTC).getDayOfMonth();
            String kind = ArchivedCount.KINDS
                    + "."
                    + new ArchivedCount(
                                    transaction.status(),
                                    transaction.operation(),
                                    transaction.terms().platform())
                            .key()
                    + ".";
            Map<String, Long> ofMonth = added.computeIfAbsent(
                    ArchivedCount.id(month, generation, transaction.tenant(), 0), none -> new TreeMap<>());
            ofMonth.merge(kind + ArchivedCount.TOTAL, 1L, Long::sum);
            Map<String, Long> ofDay = added.computeIfAbsent(
                    ArchivedCount.id(month, generation, transaction.tenant(), day), none -> new TreeMap<>());
            ofDay.merge(kind + ArchivedCount.TOTAL, 1L, Long::sum);
            ofDay.merge(kind + ArchivedCount.quarter(id.createdAt().toEpochMilli()), 1L, Long::sum);
        }
    }
}
