package dev.ligeiro.processor.guard;

import static com.mongodb.client.model.Filters.gte;

import com.mongodb.ReadConcern;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.merchant.Stop;
import dev.ligeiro.processor.guard.GuardSettings.Changed;
import dev.ligeiro.processor.guard.GuardSettings.Stopped;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.GuardDocument;
import dev.ligeiro.support.observe.LoggedMerchant;
import dev.ligeiro.transaction.Tenant;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.bson.Document;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Reads what operators have stopped, and the guards of merchants. Majority: a guard that a failover takes back must not be kept. */
@Component
class GuardStore {

    private static final Logger LOG = LoggerFactory.getLogger(GuardStore.class);

    private final MongoCollection<Document> stops;
    private final MongoCollection<Document> guards;
    private final Set<Document> unreadable = ConcurrentHashMap.newKeySet();

    GuardStore(MongoDatabase database) {
        this.stops = database.getCollection(CollectionNames.STOPS).withReadConcern(ReadConcern.MAJORITY);
        this.guards = database.getCollection(CollectionNames.GUARDS).withReadConcern(ReadConcern.MAJORITY);
    }

    /** The stops of cashouts, and the frozen merchants. */
    Mono<List<Stopped>> stops() {
        return Flux.from(stops.find())
                .filter(stop -> !stop.getString(Stop.ID).startsWith(Stop.ROUTE))
                .map(stop -> new Stopped(
                        stop.getString(Stop.ID).startsWith(Stop.FROZEN),
                        stop.getString(Stop.RAIL),
                        stop.getLong(Stop.MERCHANT_NUMBER)))
                .collectList();
    }

    /** The guards that were changed at that time or later. */
    Mono<List<Changed>> guards(Instant since) {
        return Flux.from(guards.find(gte(GuardDocument.CHANGED_AT, Date.from(since))))
                .map(this::changed)
                .collectList();
    }

    private Changed changed(Document document) {
        Tenant tenant = new Tenant(document.getLong(GuardDocument.ID));
        Instant at = GuardDocument.changedAt(document);
        boolean isOpen = !document.getBoolean(GuardDocument.NOT_OPENED, false);
        try {
            return new Changed(tenant, GuardDocument.read(document), isOpen, at);
        } catch (RuntimeException damaged) {
            if (unreadable.add(document)) {
                LoggedMerchant.add(LOG.atWarn().addKeyValue("event.action", "guard_unreadable"), tenant)
                        .addKeyValue("cause", damaged.getClass().getSimpleName())
                        .log("The guard of a merchant cannot be read; its cashouts wait until it is set again");
            }
            return new Changed(tenant, null, isOpen, at);
        }
    }
}
