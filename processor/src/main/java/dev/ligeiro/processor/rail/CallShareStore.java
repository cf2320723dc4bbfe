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
import java.util.Map;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** The processors' shares of each bank account's calls, a document for each account, which is changed by compare-and-set. */
@Component
class CallShareStore {

    private final MongoCollection<CallShares> accounts;

    CallShareStore(MongoDatabase database) {
        this.accounts = database.getCollection(CollectionNames.LEASES, CallShares.class);
    }

    Mono<CallShares> read(String rail) {
        return Mono.from(accounts.find(eq(id(rail)))).defaultIfEmpty(new CallShares(0, Map.of()));
    }

    /** Replaces all shares; false if another processor has changed them since {@code read}. */
    Mono<Boolean> replace(String rail, CallShares read, Map<String, CallShares.Share> next) {
        return Mono.from(accounts.updateOne(
                        and(eq(id(rail)), eq("version", read.version())),
                        combine(set("shares", next), inc("version", 1L)),
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
}
