package dev.ligeiro.processor.rail;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Updates.combine;
import static com.mongodb.client.model.Updates.inc;
import static com.mongodb.client.model.Updates.set;

import com.mongodb.ErrorCategory;
import com.mongodb.MongoServerException;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.store.CollectionNames;
import java.time.Instant;
import java.util.Date;
import java.util.HashMap;
import java.util.Map;
import org.bson.Document;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** The processors' shares of each bank account's calls, a document for each account, which is changed by compare-and-set. */
@Component
class CallShareStore {

    private static final String ID = "_id";
    private static final String VERSION = "version";
    private static final String SHARES = "shares";
    private static final String HELD = "held";
    private static final String WANTED = "wanted";
    private static final String TURN_AT = "turnAt";
    private static final String UNTIL = "until";

    private final MongoCollection<Document> accounts;

    CallShareStore(MongoDatabase database) {
        this.accounts = database.getCollection(CollectionNames.LEASES);
    }

    Mono<CallShares> read(String rail) {
        return Mono.from(accounts.find(eq(ID, id(rail))))
                .map(CallShareStore::shares)
                .defaultIfEmpty(new CallShares(0, Map.of()));
    }

    /** Replaces all shares; false if another processor has changed them since {@code read}. */
    Mono<Boolean> replace(String rail, CallShares read, Map<String, CallShares.Share> next) {
        Document shares = new Document();
        next.forEach((processor, share) -> shares.append(
                processor,
                new Document(HELD, share.held())
                        .append(WANTED, share.wanted())
                        .append(TURN_AT, Date.from(share.turnAt()))
                        .append(UNTIL, Date.from(share.until()))));
        return Mono.from(accounts.updateOne(
                        and(eq(ID, id(rail)), eq(VERSION, read.version())),
                        combine(set(SHARES, shares), inc(VERSION, 1L)),
                        new UpdateOptions().upsert(read.version() == 0)))
                .map(done -> done.getModifiedCount() > 0 || done.getUpsertedId() != null)
                // another processor was the first to add the document
                .onErrorResume(
                        MongoServerException.class,
                        failure -> ErrorCategory.fromErrorCode(failure.getCode()) == ErrorCategory.DUPLICATE_KEY
                                ? Mono.just(false)
                                : Mono.error(failure));
    }

    private static String id(String rail) {
        return "calls/" + rail;
    }

    private static CallShares shares(Document found) {
        Map<String, CallShares.Share> shares = new HashMap<>();
        found.get(SHARES, Document.class).forEach((processor, share) -> {
            Document fields = (Document) share;
            shares.put(
                    processor,
                    new CallShares.Share(
                            fields.getInteger(HELD),
                            fields.getInteger(WANTED),
                            instant(fields, TURN_AT),
                            instant(fields, UNTIL)));
        });
        return new CallShares(found.getLong(VERSION), shares);
    }

    private static Instant instant(Document fields, String name) {
        return fields.getDate(name).toInstant();
    }
}
