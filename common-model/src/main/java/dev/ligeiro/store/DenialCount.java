package dev.ligeiro.store;

import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Tenant;
import java.util.List;
import java.util.UUID;
import org.bson.Document;

/**
 * How many transactions were denied for one reason.
 *
 * @param reason a code of Ligeiro or of the rail; empty for transactions without one
 */
public record DenialCount(String reason, long count) {

    /** So many take a tenth of a second. */
    private static final int DENIED_MAX = 10_000;

    private static final int REASONS_MAX = 50;
    private static final String COUNT = "count";

    /**
     * Counts the newest 10,000 denied transactions of a tenant by their reasons: of at most 50, the most frequent first. One range of the index
     * over tenant, status and id.
     *
     * @param from the lowest id
     * @param before the end of the ids, exclusive
     */
    public static List<Document> pipeline(Tenant tenant, UUID from, UUID before) {
        Document ids =
                new Document("$gte", TransactionCodec.binary(from)).append("$lt", TransactionCodec.binary(before));
        Document isDenial = new Document("$eq", List.of("$$this." + TransactionFields.STATUS, Status.DENIED.code()));
        Document denials = new Document("input", "$" + TransactionFields.HISTORY).append("cond", isDenial);
        return List.of(
                new Document(
                        "$match",
                        new Document(TransactionFields.TENANT, tenant.key())
                                .append(TransactionFields.STATUS, Status.DENIED.code())
                                .append(TransactionFields.ID, ids)),
                new Document("$sort", new Document(TransactionFields.ID, -1)),
                new Document("$limit", DENIED_MAX),
                new Document(
                        "$project", new Document("denial", new Document("$last", new Document("$filter", denials)))),
                new Document(
                        "$group",
                        new Document("_id", "$denial." + TransactionFields.REASON)
                                .append(COUNT, new Document("$sum", 1))),
                new Document("$sort", new Document(COUNT, -1).append("_id", 1)),
                new Document("$limit", REASONS_MAX));
    }

    public static DenialCount of(Document group) {
        String reason = group.getString("_id");
        return new DenialCount(reason == null ? "" : reason, group.getInteger(COUNT));
    }
}
