package dev.ligeiro.gateway.store;

import static com.mongodb.client.model.Filters.in;

import com.mongodb.ReadConcern;
import com.mongodb.client.model.Sorts;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.store.ArchiveFields;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.StoredValues;
import dev.ligeiro.support.work.LastKnown;
import java.time.Duration;
import java.time.YearMonth;
import org.bson.BsonDocument;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Which months are archived. A change is noticed within 20 seconds; processors wait for a minute before they remove the first transaction. While
 * MongoDB does not answer, the last known ones are.
 */
@Component
public class ArchiveStore extends LastKnown<Archive> {

    private static final Logger LOG = LoggerFactory.getLogger(ArchiveStore.class);

    private static final Duration EVERY = Duration.ofSeconds(15);
    private static final double JITTER = 0.1;

    private final MongoCollection<BsonDocument> months;

    ArchiveStore(MongoDatabase database) {
        this.months = database.getCollection(CollectionNames.ARCHIVED_MONTHS, BsonDocument.class)
                .withReadConcern(ReadConcern.MAJORITY);
    }

    @Override
    protected Mono<Archive> present() {
        return Flux.from(months.find(in(ArchiveFields.STATE, ArchiveFields.AWAY))
                        .sort(Sorts.ascending(ArchiveFields.ID)))
                .map(found -> new Archive.Month(
                        YearMonth.parse(StoredValues.text(found, ArchiveFields.ID)),
                        found.getInt32(ArchiveFields.GENERATION).getValue()))
                .collectList()
                .map(Archive::new);
    }

    @Override
    protected Duration pause() {
        return jittered(EVERY, JITTER);
    }

    @Override
    protected void report(Throwable failure) {
        LOG.atWarn()
                .addKeyValue("event.action", "archived_months_unknown")
                .addKeyValue("cause", failure.getClass().getSimpleName())
                .log("The archived months could not be read; the last known ones hold, and they are read again");
    }
}
