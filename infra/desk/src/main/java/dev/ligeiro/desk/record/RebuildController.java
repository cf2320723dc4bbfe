package dev.ligeiro.desk.record;

import static org.springframework.data.mongodb.core.query.Criteria.where;
import static org.springframework.data.mongodb.core.query.Query.query;

import dev.ligeiro.desk.operator.Needs;
import dev.ligeiro.desk.operator.Role;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.RebuildFields;
import dev.ligeiro.support.problem.Problem;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Clock;
import java.time.Instant;
import java.util.UUID;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.ReplaceOptions;
import org.springframework.data.mongodb.core.mapping.Field;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Asks for the postings that the books lack, and shows how far the latest rebuild is. A processor does it. */
@RestController
@RequestMapping("/admin/books/rebuild")
@Tag(name = "books")
class RebuildController {

    private final MongoTemplate mongo;
    private final Clock clock;

    RebuildController(MongoTemplate mongo, Clock clock) {
        this.mongo = mongo;
        this.clock = clock;
    }

    /**
     * A rebuild, as operators see it.
     *
     * @param postingsAdded the postings that were missing so far
     * @param endedAt null while it runs
     */
    record Rebuild(
            Instant requestedAt,
            long batches,
            @Field(RebuildFields.ADDED) long postingsAdded,
            @Nullable Instant endedAt) {}

    record Nothing() {}

    /** While a rebuild runs, no other one begins. */
    @PostMapping
    @Needs(Role.OPERATE)
    @Operation(summary = "Write the postings that the books lack")
    Rebuild rebuild(@RequestBody Nothing body) {
        Document request = new Document(RebuildFields.RUN, UUID.randomUUID().toString())
                .append(RebuildFields.REQUESTED_AT, clock.instant())
                .append(RebuildFields.BATCHES, 0L)
                .append(RebuildFields.ADDED, 0L);
        try {
            mongo.replace(
                    query(where("_id")
                            .is(RebuildFields.NAME)
                            .and(RebuildFields.ENDED_AT)
                            .exists(true)),
                    request,
                    ReplaceOptions.replaceOptions().upsert(),
                    CollectionNames.LEASES);
        } catch (DuplicateKeyException runs) {
            // the present rebuild is shown
        }
        return show();
    }

    @GetMapping
    @Needs(Role.READ)
    @Operation(summary = "How far the latest rebuild of the books is")
    Rebuild show() {
        Rebuild latest = mongo.findById(RebuildFields.NAME, Rebuild.class, CollectionNames.LEASES);
        if (latest == null) {
            throw Problem.notFound("The books were never rebuilt");
        }
        return latest;
    }
}
