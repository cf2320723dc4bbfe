package dev.ligeiro.gateway.operator.admin;

import static org.springframework.data.mongodb.core.query.Criteria.where;

import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.data.domain.Sort;
import org.springframework.data.mongodb.core.ReactiveMongoTemplate;
import org.springframework.data.mongodb.core.query.Criteria;
import org.springframework.data.mongodb.core.query.Query;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** Audit entries in MongoDB, which deletes them after five years. */
@Component
class AuditStore {

    private final ReactiveMongoTemplate mongo;

    AuditStore(ReactiveMongoTemplate mongo) {
        this.mongo = mongo;
    }

    Mono<AuditEntry> insert(AuditEntry entry) {
        return mongo.insert(entry);
    }

    Mono<Void> replace(AuditEntry entry) {
        return mongo.save(entry).then();
    }

    /** Empty if there is none. */
    Mono<AuditEntry> find(UUID id) {
        return mongo.findById(id, AuditEntry.class);
    }

    /**
     * The entries, the newest first. Long bodies are cut.
     *
     * @param merchantId null for the entries of all merchants and of none
     * @param after the id that they come after; null for the newest ones
     */
    Mono<AdminPage<AuditEntry, UUID>> page(@Nullable UUID merchantId, @Nullable UUID after) {
        Criteria which =
                merchantId == null ? new Criteria() : where("merchantId").is(merchantId);
        return mongo.find(
                        Query.query(after == null ? which : which.and("_id").lt(after))
                                .with(Sort.by(Sort.Direction.DESC, "_id"))
                                .limit(AdminPage.ITEMS_MAX + 1),
                        AuditEntry.class)
                .map(AuditEntry::listed)
                .collectList()
                .map(found -> AdminPage.of(found, AuditEntry::id));
    }
}
