package dev.ligeiro.gateway.store;

import static com.mongodb.client.model.Filters.in;

import com.mongodb.ReadConcern;
import com.mongodb.client.model.Sorts;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.store.ArchiveFields;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.StoredValues;
import dev.ligeiro.support.work.RepeatedWork;
import java.time.Duration;
import java.time.YearMonth;
import java.util.Arrays;
import java.util.List;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;
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
public class ArchiveStore extends RepeatedWork {

    private static final Logger LOG = LoggerFactory.getLogger(ArchiveStore.class);

    private static final Duration EVERY = Duration.ofSeconds(15);
    private static final double JITTER = 0.1;
    private static final Duration READ_MAX = Duration.ofSeconds(2);
    private static final List<String> AWAY = Arrays.stream(ArchiveFields.State.values())
            .filter(ArchiveFields.State::isAway)
            .map(ArchiveFields.State::code)
            .toList();

    private final MongoCollection<BsonDocument> months;
    /** Null until they were read once. */
    private volatile @Nullable Archive known;

    ArchiveStore(MongoDatabase database) {
        this.months = database.getCollection(CollectionNames.ARCHIVED_MONTHS, BsonDocument.class)
                .withReadConcern(ReadConcern.MAJORITY);
    }

    /** Asks MongoDB only if it has not told the months since the start. */
    public Mono<Archive> known() {
        Archive now = known;
        return now == null ? read() : Mono.just(now);
    }

    /** The present ones, which hold on this gateway from now on. */
    public Mono<Archive> read() {
        return Flux.from(months.find(in(ArchiveFields.STATE, AWAY)).sort(Sorts.ascending(ArchiveFields.ID)))
                .map(found -> new Archive.Month(
                        YearMonth.parse(StoredValues.text(found, ArchiveFields.ID)),
                        found.getInt32(ArchiveFields.GENERATION).getValue()))
                .collectList()
                .map(Archive::new)
                .doOnNext(read -> known = read);
    }

    @Override
    protected Duration pause() {
        return jittered(EVERY, JITTER);
    }

    @Override
    protected Mono<Void> run() {
        return read().timeout(READ_MAX).then();
    }

    @Override
    protected void report(Throwable failure) {
        LOG.atWarn()
                .addKeyValue("event.action", "archived_months_unknown")
                .addKeyValue("cause", failure.getClass().getSimpleName())
                .log("The archived months could not be read; the last known ones hold, and they are read again");
    }
}
