package dev.ligeiro.gateway.store.merchant;

import static com.mongodb.client.model.Filters.eq;

import com.mongodb.client.model.UpdateOptions;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.GuardDocument;
import dev.ligeiro.transaction.CashoutGuard;
import dev.ligeiro.transaction.Tenant;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
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
        Document change = new Document("$set", GuardDocument.of(guard))
                .append("$currentDate", new Document(GuardDocument.CHANGED_AT, true));
        return Mono.from(guards.updateOne(
                        eq(GuardDocument.ID, guard.tenant().key()), change, new UpdateOptions().upsert(true)))
                .then();
    }
}
