package dev.ligeiro.gateway.operator.console;

import static org.springframework.data.mongodb.core.query.Criteria.where;
import static org.springframework.data.mongodb.core.query.Query.query;

import java.time.Instant;
import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.core.ReactiveMongoTemplate;
import org.springframework.data.mongodb.core.mapping.Document;
import org.springframework.data.mongodb.core.query.Update;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** Sessions of operators in MongoDB, which deletes them when they expire. */
@Component
class OperatorSessionStore {

    private final ReactiveMongoTemplate mongo;

    OperatorSessionStore(ReactiveMongoTemplate mongo) {
        this.mongo = mongo;
    }

    /**
     * @param id the hash of the cookie's token
     * @param operator the operator's name
     * @param fingerprint of the operator's token, by the cookie's token
     * @param endsAt the end, however much it is used
     * @param expiresAt the end if it is not used any more
     */
    @Document("operator_sessions")
    record Session(@Id String id, String operator, byte[] fingerprint, Instant endsAt, Instant expiresAt) {}

    Mono<Session> insert(Session session) {
        return mongo.insert(session);
    }

    Mono<Session> find(String id, Instant now) {
        return mongo.findOne(query(where("_id").is(id).and("expiresAt").gt(now)), Session.class);
    }

    Mono<Void> extend(String id, Instant expiresAt) {
        return mongo.updateFirst(query(where("_id").is(id)), new Update().set("expiresAt", expiresAt), Session.class)
                .then();
    }

    Mono<Void> delete(String id) {
        return mongo.remove(query(where("_id").is(id)), Session.class).then();
    }
}
