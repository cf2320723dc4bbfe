package dev.ligeiro.support.instance;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.gte;

import com.mongodb.WriteConcern;
import com.mongodb.client.model.ReplaceOptions;
import com.mongodb.client.model.Sorts;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.support.instance.ServiceInstance.Figure;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.bson.Document;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The running service processes, one document of some kilobytes each. MongoDB deletes it a minute or two after the last report. */
public class InstanceStore {

    public static final String SEEN_AT = "seenAt";
    public static final long DELETED_AFTER_SECONDS = 60;

    private static final int READ_MAX = 500;

    private final MongoCollection<Document> instances;

    InstanceStore(MongoDatabase database) {
        this.instances = database.getCollection(CollectionNames.INSTANCES);
    }

    /** Without a majority: a report that a failover loses is followed by the next one. */
    Mono<Void> put(ServiceInstance instance) {
        return Mono.from(instances
                        .withWriteConcern(WriteConcern.W1)
                        .replaceOne(eq("_id", instance.id()), document(instance), new ReplaceOptions().upsert(true)))
                .then();
    }

    /** At most {@value READ_MAX} of those whose last report is not older, by service and start. */
    public Mono<List<ServiceInstance>> seenSince(Instant since) {
        return Flux.from(instances
                        .find(gte(SEEN_AT, Date.from(since)))
                        .sort(Sorts.ascending("service", "startedAt", "_id"))
                        .limit(READ_MAX))
                .map(InstanceStore::instance)
                .collectList();
    }

    private static Document document(ServiceInstance instance) {
        return new Document("_id", instance.id())
                .append("service", instance.service())
                .append("version", instance.version())
                .append("host", instance.host())
                .append("pid", instance.pid())
                .append("startedAt", Date.from(instance.startedAt()))
                .append(SEEN_AT, Date.from(instance.seenAt()))
                .append(
                        "figures",
                        instance.figures().stream()
                                .map(figure -> new Document("name", figure.name())
                                        .append("tags", new Document(Map.copyOf(figure.tags())))
                                        .append("value", figure.value()))
                                .toList());
    }

    private static ServiceInstance instance(Document found) {
        return new ServiceInstance(
                found.get("_id", UUID.class),
                found.getString("service"),
                found.getString("version"),
                found.getString("host"),
                found.getLong("pid"),
                found.getDate("startedAt").toInstant(),
                found.getDate(SEEN_AT).toInstant(),
                found.getList("figures", Document.class).stream()
                        .map(InstanceStore::figure)
                        .toList());
    }

    private static Figure figure(Document found) {
        Map<String, String> tags = new TreeMap<>();
        found.get("tags", Document.class).forEach((name, value) -> tags.put(name, String.valueOf(value)));
        return new Figure(found.getString("name"), tags, found.getDouble("value"));
    }
}
