package dev.ligeiro.processor.reconcile;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.exists;
import static com.mongodb.client.model.Filters.in;
import static com.mongodb.client.model.Filters.ne;
import static com.mongodb.client.model.Updates.combine;
import static com.mongodb.client.model.Updates.set;
import static com.mongodb.client.model.Updates.unset;

import com.mongodb.client.model.Accumulators;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.InsertOneModel;
import com.mongodb.client.model.ReplaceOneModel;
import com.mongodb.client.model.WriteModel;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.processor.reconcile.Compared.Break;
import dev.ligeiro.store.BreakFields;
import dev.ligeiro.store.BreakKind;
import dev.ligeiro.store.CollectionNames;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;
import org.bson.Document;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The breaks in MongoDB, one for each movement, however often it is found. */
@Component
class BreakStore {

    private final MongoCollection<Document> breaks;
    private final ZoneId zone;
    private final Clock clock;

    BreakStore(MongoDatabase database, ReconcileProperties properties, Clock clock) {
        this.breaks = database.getCollection(CollectionNames.BREAKS);
        this.zone = properties.timeZone();
        this.clock = clock;
    }

    /** The open breaks of a rail and kind. */
    record Open(String rail, String kind, int count, Instant oldest) {}

    /**
     * Stores what is new. A break that is open and differs otherwise now is changed and keeps its time; one that an operator has closed opens
     * again only if it differs otherwise now.
     *
     * @return how many were opened
     */
    Mono<Long> write(String rail, List<Break> found) {
        if (found.isEmpty()) {
            return Mono.just(0L);
        }
        List<UUID> ids = found.stream().map(one -> id(rail, one.railId())).toList();
        return Flux.from(breaks.find(in(BreakFields.ID, ids)))
                .collectMap(stored -> stored.get(BreakFields.ID, UUID.class))
                .flatMap(stored -> write(rail, found, stored));
    }

    private Mono<Long> write(String rail, List<Break> found, Map<UUID, Document> stored) {
        Date now = now();
        List<WriteModel<Document>> writes = new ArrayList<>();
        long opened = 0;
        for (Break one : found) {
            Document document = document(rail, one);
            Document before = stored.get(document.get(BreakFields.ID, UUID.class));
            boolean isOpen = before != null && before.containsKey(BreakFields.OPEN);
            document.append(BreakFields.SINCE, now).append(BreakFields.OPEN, true);
            if (before == null) {
                writes.add(new InsertOneModel<>(document));
                opened++;
            } else if (!isSame(before, document) || !isOpen && !before.containsKey(BreakFields.CLOSED_BY)) {
                if (isOpen) {
                    document.append(BreakFields.SINCE, before.getDate(BreakFields.SINCE));
                }
                // nothing changes if an operator closes it meanwhile
                writes.add(new ReplaceOneModel<>(
                        and(
                                eq(BreakFields.ID, before.get(BreakFields.ID)),
                                eq(BreakFields.CLOSED_AT, before.get(BreakFields.CLOSED_AT))),
                        document));
                opened += isOpen ? 0 : 1;
            }
        }
        long count = opened;
        return writes.isEmpty()
                ? Mono.just(0L)
                : Mono.from(breaks.bulkWrite(writes)).thenReturn(count);
    }

    private static boolean isSame(Document before, Document found) {
        return Stream.of(BreakFields.KIND, BreakFields.OURS, BreakFields.THEIRS)
                .allMatch(field -> Objects.equals(before.get(field), found.get(field)));
    }

    private Document document(String rail, Break found) {
        Document document = new Document(BreakFields.ID, id(rail, found.railId()))
                .append(BreakFields.RAIL, rail)
                .append(BreakFields.DAY, found.at().atZone(zone).toLocalDate().toString())
                .append(BreakFields.KIND, found.kind().code())
                .append(BreakFields.RAIL_ID, found.railId())
                .append(BreakFields.OURS, found.ours())
                .append(BreakFields.THEIRS, found.theirs())
                .append(
                        BreakFields.TRANSACTION_ID,
                        found.transactionId() == null
                                ? null
                                : found.transactionId().value())
                .append(
                        BreakFields.TENANT,
                        found.tenant() == null ? null : found.tenant().key());
        document.values().removeIf(Objects::isNull);
        return document;
    }

    /** An exact match was found after all. What is there twice stays so: each of the two matches. */
    Mono<Void> closeMatched(String rail, List<String> railIds) {
        if (railIds.isEmpty()) {
            return Mono.empty();
        }
        List<UUID> ids = railIds.stream().map(id -> id(rail, id)).toList();
        return Mono.from(breaks.updateMany(
                        and(
                                in(BreakFields.ID, ids),
                                exists(BreakFields.OPEN),
                                ne(BreakFields.KIND, BreakKind.TWICE.code())),
                        combine(
                                set(BreakFields.CLOSED_AT, now()),
                                set(BreakFields.REASON, BreakFields.MATCHED),
                                unset(BreakFields.OPEN))))
                .then();
    }

    /** Reads all open breaks, of which there are few. */
    Mono<List<Open>> open() {
        String rail = "$" + BreakFields.RAIL;
        String kind = "$" + BreakFields.KIND;
        return Flux.from(breaks.aggregate(List.of(
                                Aggregates.match(exists(BreakFields.OPEN)),
                                Aggregates.group(
                                        new Document(BreakFields.RAIL, rail).append(BreakFields.KIND, kind),
                                        Accumulators.sum("count", 1),
                                        Accumulators.min(BreakFields.SINCE, "$" + BreakFields.SINCE))))
                        .hintString(BreakFields.OPEN_INDEX))
                .map(found -> new Open(
                        found.get(BreakFields.ID, Document.class).getString(BreakFields.RAIL),
                        found.get(BreakFields.ID, Document.class).getString(BreakFields.KIND),
                        found.getInteger("count"),
                        found.getDate(BreakFields.SINCE).toInstant()))
                .collectList();
    }

    private Date now() {
        return new Date(clock.millis());
    }

    private static UUID id(String rail, String railId) {
        return UUID.nameUUIDFromBytes((rail + "/" + railId).getBytes(StandardCharsets.UTF_8));
    }
}
