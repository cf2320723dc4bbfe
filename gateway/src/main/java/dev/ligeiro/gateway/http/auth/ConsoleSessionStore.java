package dev.ligeiro.gateway.http.auth;

import static org.springframework.data.mongodb.core.query.Criteria.where;
import static org.springframework.data.mongodb.core.query.Query.query;

import dev.ligeiro.merchant.Scope;
import jakarta.validation.constraints.Pattern;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.data.domain.Sort;
import org.springframework.data.mongodb.core.FindAndModifyOptions;
import org.springframework.data.mongodb.core.ReactiveMongoTemplate;
import org.springframework.data.mongodb.core.query.Criteria;
import org.springframework.data.mongodb.core.query.Query;
import org.springframework.data.mongodb.core.query.Update;
import org.springframework.stereotype.Component;
import org.springframework.validation.annotation.Validated;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Sessions of the merchant console in MongoDB, which deletes them when they expire. */
@Component
public class ConsoleSessionStore {

    /** Sessions and unused links of one key. */
    public static final int PER_KEY_MAX = 20;

    private static final Duration USE_WRITTEN_AFTER = Duration.ofMinutes(1);
    private static final String ID = "_id";
    private static final String KEY_ID = "keyId";
    private static final String LINK = "linkHash";
    private static final String COOKIE = "cookieHash";
    private static final String EXPIRES_AT = "expiresAt";

    private final ReactiveMongoTemplate mongo;
    private final ConsoleProperties properties;
    private final Clock clock;

    ConsoleSessionStore(ReactiveMongoTemplate mongo, ConsoleProperties properties, Clock clock) {
        this.mongo = mongo;
        this.properties = properties;
        this.clock = clock;
    }

    /** An open session and its token, which is not stored. */
    public record Entered(ConsoleSession session, String token) {}

    /** Stores a link, and deletes the oldest sessions of a key that has too many. */
    public Mono<ConsoleSession> insert(ConsoleSession link) {
        Query tooMany =
                query(where(KEY_ID).is(link.keyId())).with(newestFirst()).skip(PER_KEY_MAX);
        return mongo.insert(link)
                .thenMany(mongo.findAllAndRemove(tooMany, ConsoleSession.class))
                .then(Mono.just(link));
    }

    /** Uses a link, which no other request can use then. Empty if it is unknown, used or expired. */
    public Mono<Entered> enter(String token) {
        Instant now = now();
        Instant endsAt = now.plus(properties.sessionMax());
        String cookie = ConsoleSession.newToken();
        Update entered = new Update()
                .unset(LINK)
                .set(COOKIE, ConsoleSession.hash(cookie))
                .set("lastUsedAt", now)
                .set("endsAt", endsAt)
                .set(EXPIRES_AT, expiry(now, endsAt));
        return mongo.findAndModify(
                        link(token), entered, FindAndModifyOptions.options().returnNew(true), ConsoleSession.class)
                .map(session -> new Entered(session, cookie));
    }

    /** The sessions with these hashes of their tokens that have not ended. Each counts as used, at most once a minute. */
    Mono<List<ConsoleSession>> open(Collection<String> tokenHashes) {
        Instant now = now();
        return mongo.find(query(where(COOKIE).in(tokenHashes).and(EXPIRES_AT).gt(now)), ConsoleSession.class)
                .collectList()
                .doOnNext(open -> Flux.fromIterable(open)
                        .filter(session -> isDue(session, now))
                        .concatMap(session -> writeUse(session, now))
                        .onErrorComplete()
                        .subscribe());
    }

    private static boolean isDue(ConsoleSession session, Instant now) {
        return session.lastUsedAt() == null || session.lastUsedAt().isBefore(now.minus(USE_WRITTEN_AFTER));
    }

    private Mono<Void> writeUse(ConsoleSession session, Instant now) {
        Update use = new Update().set("lastUsedAt", now).set(EXPIRES_AT, expiry(now, session.endsAt()));
        return mongo.updateFirst(query(where(ID).is(session.id())), use, ConsoleSession.class)
                .then();
    }

    /** The sessions and unused links within these rights, the newest first. */
    public Mono<List<ConsoleSession>> all(UUID keyId, Set<Scope> scopes) {
        return mongo.find(
                        query(within(keyId, scopes).and(EXPIRES_AT).gt(now())).with(newestFirst()),
                        ConsoleSession.class)
                .collectList();
    }

    /** The deleted session; empty when no such session is within these rights. */
    public Mono<ConsoleSession> delete(UUID keyId, Set<Scope> scopes, UUID id) {
        return mongo.findAndRemove(query(within(keyId, scopes).and(ID).is(id)), ConsoleSession.class);
    }

    /** Of the sessions that a key has made, those that may do nothing but {@code scopes}. */
    private static Criteria within(UUID keyId, Set<Scope> scopes) {
        List<String> codes = scopes.stream().map(Scope::code).toList();
        return where(KEY_ID).is(keyId).and("scopes").not().elemMatch(new Criteria().nin(codes));
    }

    private Query link(String token) {
        return query(where(LINK).is(ConsoleSession.hash(token)).and(EXPIRES_AT).gt(now()));
    }

    private Instant expiry(Instant now, Instant endsAt) {
        Instant idle = now.plus(properties.idleMax());
        return idle.isBefore(endsAt) ? idle : endsAt;
    }

    /** In milliseconds, as MongoDB stores it. */
    private Instant now() {
        return Instant.ofEpochMilli(clock.millis());
    }

    private static Sort newestFirst() {
        return Sort.by(Sort.Direction.DESC, ID);
    }

    /**
     * The settings {@code ligeiro.console.*}. {@code application.yml} explains them.
     *
     * @param url where merchants open the console; null if an ingress has it at the gateway's address
     * @param sessionMax how long a session lasts at most
     * @param idleMax how long a session lasts without a request by a person
     */
    @ConfigurationProperties("ligeiro.console")
    @Validated
    public record ConsoleProperties(
            @Pattern(
                            regexp = "https?://[^?#@\\s]*[^/?#@\\s]",
                            message =
                                    "must be http or https without a slash at its end, such as https://console.example.com")
                    @Nullable
                    String url,
            @DefaultValue("8h") @DurationMin(minutes = 5) @DurationMax(hours = 24) Duration sessionMax,
            @DefaultValue("30m") @DurationMin(minutes = 5) @DurationMax(hours = 24) Duration idleMax) {}
}
