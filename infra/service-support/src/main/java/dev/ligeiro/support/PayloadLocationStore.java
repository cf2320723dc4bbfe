package dev.ligeiro.support;

import static com.mongodb.client.model.Accumulators.sum;
import static com.mongodb.client.model.Aggregates.group;
import static com.mongodb.client.model.Aggregates.match;
import static com.mongodb.client.model.Filters.eq;

import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.pix.MerchantAccount.DynamicLocation;
import dev.ligeiro.pix.PayloadLocation;
import dev.ligeiro.store.CollectionNames;
import java.util.List;
import org.bson.Document;
import reactor.core.publisher.Mono;

/**
 * The pool of each rail: the payload locations that no transaction has, in blocks. A block is taken by deleting it, so its locations belong
 * to the process that deleted it, and to no other one ever. If that process is killed, the rest of its block is lost. Losing locations costs
 * nothing; a location with two transactions would make a payer pay for somebody else.
 */
public final class PayloadLocationStore {

    /** The locations of one block at most. */
    public static final int BLOCK_MAX = 50;

    /** The field of the index. */
    public static final String RAIL = "rail";

    private static final String LOCATIONS = "locations";
    private static final String COUNT = "count";
    private static final String ID = "id";
    private static final String URL = "url";

    private final MongoCollection<Document> blocks;

    public PayloadLocationStore(MongoDatabase database) {
        this.blocks = database.getCollection(CollectionNames.PAYLOAD_LOCATIONS);
    }

    /** Takes a block, by one command. Empty when the rail's pool is empty. After a failure the block may be lost. */
    public Mono<List<PayloadLocation>> take(String rail) {
        return Mono.from(blocks.findOneAndDelete(eq(RAIL, rail)))
                .map(block -> block.getList(LOCATIONS, Document.class).stream()
                        .map(each -> new PayloadLocation(each.getLong(ID), new DynamicLocation(each.getString(URL))))
                        .toList());
    }

    /**
     * Adds a block of locations that nobody has used. It must not be repeated after a failure: the block may have been added, and taken by
     * a gateway.
     *
     * @param locations at most {@link #BLOCK_MAX}
     */
    public Mono<Void> add(String rail, List<PayloadLocation> locations) {
        List<Document> each = locations.stream()
                .map(location -> new Document(ID, location.id())
                        .append(URL, location.address().url()))
                .toList();
        return Mono.from(blocks.insertOne(
                        new Document(RAIL, rail).append(COUNT, each.size()).append(LOCATIONS, each)))
                .then();
    }

    /** How many locations the rail's pool has. */
    public Mono<Integer> count(String rail) {
        return Mono.from(blocks.aggregate(List.of(match(eq(RAIL, rail)), group(null, sum(COUNT, "$" + COUNT)))))
                .map(found -> found.getInteger(COUNT))
                .defaultIfEmpty(0);
    }
}
