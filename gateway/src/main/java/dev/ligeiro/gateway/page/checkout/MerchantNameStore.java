package dev.ligeiro.gateway.page.checkout;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Projections;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.gateway.GatewayMemoryBudget;
import dev.ligeiro.transaction.Tenant;
import java.time.Duration;
import org.bson.Document;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** Reads the names of merchants, by the unique index over their numbers, at most once a minute each. */
@Component
class MerchantNameStore {

    private static final Duration CACHED_FOR = Duration.ofMinutes(1);

    private final MongoCollection<Document> merchants;
    private final AsyncCache<Long, String> names = Caffeine.newBuilder()
            .expireAfterWrite(CACHED_FOR)
            .maximumSize(GatewayMemoryBudget.SMALL_ENTRIES_MAX)
            .buildAsync();

    MerchantNameStore(MongoDatabase database) {
        this.merchants = database.getCollection("merchants");
    }

    /** The name; {@code ""} when there is no such merchant. */
    Mono<String> name(Tenant tenant) {
        return Mono.fromFuture(
                names.get(tenant.merchantNumber(), (number, executor) -> load(number)
                        .toFuture()),
                true);
    }

    private Mono<String> load(long number) {
        return Mono.from(merchants.find(Filters.eq("number", number)).projection(Projections.include("name")))
                .map(merchant -> merchant.getString("name"))
                .defaultIfEmpty("");
    }
}
