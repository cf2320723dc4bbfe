package dev.ligeiro.store;

import dev.ligeiro.message.BookEvent;
import dev.ligeiro.message.EventId;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.Transaction;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonInt64;

/**
 * A posting as it is stored, in cents.
 *
 * @param gross the merchant's part without the commission; 0 if it does not move the merchant's account
 * @param commission what the commission adds to the merchant's account
 * @param legs the change of each account in cents, by its name in {@link BalanceFields}
 */
public record StoredPosting(String id, Instant at, String type, long gross, long commission, Map<String, Long> legs) {

    private static final BsonInt64 NOTHING = new BsonInt64(0);

    /** The ids that the postings of a transaction have, of those too that no posting has: most events move nothing. */
    public static List<String> idsOf(Transaction transaction) {
        Stream<String> announced = IntStream.rangeClosed(
                        1, transaction.history().sequence())
                .mapToObj(sequence -> new EventId(transaction.id(), sequence).toString());
        Stream<String> requested = transaction.history().entries().stream()
                .filter(entry -> entry instanceof Entry.RefundRequested request && request.wasAskedFor())
                .map(entry ->
                        BookEvent.of(transaction, (Entry.RefundRequested) entry).id());
        return Stream.concat(announced, requested)
                .flatMap(id -> Stream.of(id, id + PostingFields.BLOCKED_SUFFIX))
                .toList();
    }

    /** @throws RuntimeException if a field is missing or of another type */
    public static StoredPosting read(BsonDocument stored) {
        Map<String, Long> legs = new LinkedHashMap<>();
        stored.getDocument(PostingFields.LEGS)
                .forEach((account, cents) -> legs.put(account, cents.asNumber().longValue()));
        return new StoredPosting(
                StoredValues.text(stored, PostingFields.ID),
                StoredValues.instant(stored, PostingFields.AT),
                StoredValues.text(stored, PostingFields.TYPE),
                stored.getNumber(PostingFields.GROSS, NOTHING).longValue(),
                stored.getNumber(PostingFields.COMMISSION, NOTHING).longValue(),
                legs);
    }
}
