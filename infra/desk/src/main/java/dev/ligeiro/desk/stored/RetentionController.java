package dev.ligeiro.desk.stored;

import static org.springframework.data.mongodb.core.query.Criteria.where;
import static org.springframework.data.mongodb.core.query.Query.query;

import dev.ligeiro.desk.money.Reason;
import dev.ligeiro.desk.operator.Needs;
import dev.ligeiro.desk.operator.Role;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.RedactionFields;
import dev.ligeiro.support.mongo.LeaseStore;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.util.Date;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.query.Query;
import org.springframework.data.mongodb.core.query.Update;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Shows how far the removal of personal data is, pauses it and lets it go on. A processor does it. */
@RestController
@RequestMapping("/admin/retention")
@Tag(name = "retention")
public class RetentionController {

    private static final Query STATE = query(where(RedactionFields.ID).is(RedactionFields.STATE));

    private final MongoTemplate mongo;

    RetentionController(MongoTemplate mongo) {
        this.mongo = mongo;
    }

    /**
     * @param days of merchants without a number of their own; null for ever
     * @param redacted how many transactions have lost their personal data
     * @param waiting how many should, and may not yet
     * @param begunAt the latest pass over the transactions of all merchants; null before the first
     * @param endedAt before {@code begunAt} while it runs
     */
    public record Retention(
            @Nullable Integer days,
            boolean paused,
            long redacted,
            long waiting,
            @Nullable Instant begunAt,
            @Nullable Instant endedAt) {

        /** The name of its text. */
        public String state() {
            if (paused) {
                return "paused";
            }
            if (begunAt == null) {
                return "never";
            }
            return endedAt == null || endedAt.isBefore(begunAt) ? "runs" : "idle";
        }
    }

    @GetMapping
    @Needs(Role.READ)
    @Operation(summary = "how far the removal of personal data is")
    public Retention show() {
        Document state = mongo.findOne(STATE, Document.class, CollectionNames.LEASES);
        Document known = state == null ? new Document() : state;
        return new Retention(
                known.getInteger(RedactionFields.DAYS),
                known.getBoolean(LeaseStore.PAUSED, false),
                known.get(RedactionFields.REDACTED, 0L),
                mongo.estimatedCount(CollectionNames.REDACTIONS),
                time(known.getDate(RedactionFields.BEGUN_AT)),
                time(known.getDate(RedactionFields.ENDED_AT)));
    }

    private static @Nullable Instant time(@Nullable Date date) {
        return date == null ? null : date.toInstant();
    }

    /** A batch that is under way ends. Erasures wait, too. */
    @PostMapping("/pause")
    @Needs(Role.OPERATE)
    @Operation(summary = "pause the removal of personal data")
    Retention pause(@RequestBody Reason body) {
        return set(true);
    }

    @PostMapping("/resume")
    @Needs(Role.OPERATE)
    @Operation(summary = "let the removal of personal data go on")
    Retention resume(@RequestBody Reason body) {
        return set(false);
    }

    private Retention set(boolean isPaused) {
        mongo.upsert(STATE, new Update().set(LeaseStore.PAUSED, isPaused), CollectionNames.LEASES);
        return show();
    }
}
