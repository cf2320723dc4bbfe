package dev.ligeiro.desk.merchant;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Updates.combine;
import static com.mongodb.client.model.Updates.currentDate;
import static com.mongodb.client.model.Updates.unset;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.UpdateOptions;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.GuardDocument;
import dev.ligeiro.transaction.CashoutGuard;
import dev.ligeiro.transaction.Tenant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bson.Document;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.stereotype.Component;

/** The guards of tenants in MongoDB. */
@Component
public class GuardStore {

    private final MongoCollection<Document> guards;

    GuardStore(MongoTemplate mongo) {
        this.guards = mongo.getCollection(CollectionNames.GUARDS);
    }

    /** Empty if the tenant has never had one, or a damaged one: its cashouts wait until it is set again. */
    Optional<CashoutGuard> find(Tenant tenant) {
        return Optional.ofNullable(
                        guards.find(eq(GuardDocument.ID, tenant.key())).first())
                .flatMap(GuardStore::guard);
    }

    private static Optional<CashoutGuard> guard(Document document) {
        try {
            return Optional.of(GuardDocument.read(document));
        } catch (RuntimeException damaged) {
            return Optional.empty();
        }
    }

    /** Replaces the tenant's guard. */
    void set(CashoutGuard guard) {
        write(guard, GuardDocument.of(guard));
    }

    /** Gives a new tenant a guard, and stops its cashouts until they are opened. */
    public void begin(CashoutGuard guard) {
        write(guard, GuardDocument.of(guard).append(GuardDocument.NOT_OPENED, true));
    }

    private void write(CashoutGuard guard, Document fields) {
        guards.updateOne(
                eq(GuardDocument.ID, guard.tenant().key()),
                combine(new Document("$set", fields), currentDate(GuardDocument.CHANGED_AT)),
                new UpdateOptions().upsert(true));
    }

    /** Opens the cashouts of a tenant that began with stopped ones. */
    public void open(Tenant tenant) {
        guards.updateOne(
                and(eq(GuardDocument.ID, tenant.key()), eq(GuardDocument.NOT_OPENED, true)),
                combine(unset(GuardDocument.NOT_OPENED), currentDate(GuardDocument.CHANGED_AT)));
    }

    /** Tenants whose cashouts nobody has opened yet, the newest first. */
    public List<Tenant> notOpened(int max) {
        return guards.find(eq(GuardDocument.NOT_OPENED, true))
                .projection(Projections.include(GuardDocument.ID))
                .sort(Sorts.descending(GuardDocument.ID))
                .limit(max)
                .map(found -> new Tenant(found.getLong(GuardDocument.ID)))
                .into(new ArrayList<>());
    }
}
