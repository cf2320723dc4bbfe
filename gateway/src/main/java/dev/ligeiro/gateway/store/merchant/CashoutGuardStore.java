package dev.ligeiro.gateway.store.merchant;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Projections.include;
import static com.mongodb.client.model.Sorts.descending;
import static com.mongodb.client.model.Updates.combine;
import static com.mongodb.client.model.Updates.currentDate;
import static com.mongodb.client.model.Updates.unset;

import com.mongodb.client.model.UpdateOptions;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.GuardDocument;
import dev.ligeiro.transaction.CashoutGuard;
import dev.ligeiro.transaction.Tenant;
import java.util.List;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The guards of tenants in MongoDB. */
@Component
public class CashoutGuardStore {

    private final MongoCollection<Document> guards;

    CashoutGuardStore(MongoDatabase database) {
        this.guards = database.getCollection(CollectionNames.GUARDS);
    }

    /** Empty if the tenant has never had one, or a damaged one: its cashouts wait until it is set again. */
    public Mono<CashoutGuard> find(Tenant tenant) {
        return Mono.from(guards.find(eq(GuardDocument.ID, tenant.key()))).mapNotNull(CashoutGuardStore::guard);
    }

    private static @Nullable CashoutGuard guard(Document document) {
        try {
            return GuardDocument.read(document);
        } catch (RuntimeException damaged) {
            return null;
        }
    }

    /** Replaces the tenant's guard. */
    public Mono<Void> set(CashoutGuard guard) {
        return write(guard, GuardDocument.of(guard));
    }

    /** Gives a new tenant a guard, and stops its cashouts until they are opened. */
    public Mono<Void> begin(CashoutGuard guard) {
        return write(guard, GuardDocument.of(guard).append(GuardDocument.NOT_OPENED, true));
    }

    private Mono<Void> write(CashoutGuard guard, Document fields) {
        Document change =
                new Document("$set", fields).append("$currentDate", new Document(GuardDocument.CHANGED_AT, true));
        return Mono.from(guards.updateOne(
                        eq(GuardDocument.ID, guard.tenant().key()), change, new UpdateOptions().upsert(true)))
                .then();
    }

    /** Opens the cashouts of a tenant that began with stopped ones. */
    public Mono<Void> open(Tenant tenant) {
        return Mono.from(guards.updateOne(
                        and(eq(GuardDocument.ID, tenant.key()), eq(GuardDocument.NOT_OPENED, true)),
                        combine(unset(GuardDocument.NOT_OPENED), currentDate(GuardDocument.CHANGED_AT))))
                .then();
    }

    /** Tenants whose cashouts nobody has opened yet, the newest first. */
    public Mono<List<Tenant>> notOpened(int max) {
        return Flux.from(guards.find(eq(GuardDocument.NOT_OPENED, true))
                        .projection(include(GuardDocument.ID))
                        .sort(descending(GuardDocument.ID))
                        .limit(max))
                .map(found -> new Tenant(found.getLong(GuardDocument.ID)))
                .collectList();
    }
}
