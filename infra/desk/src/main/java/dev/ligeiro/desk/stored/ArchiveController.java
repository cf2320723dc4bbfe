package dev.ligeiro.desk.stored;

import static org.springframework.data.mongodb.core.query.Criteria.where;
import static org.springframework.data.mongodb.core.query.Query.query;

import dev.ligeiro.desk.money.Reason;
import dev.ligeiro.desk.operator.Needs;
import dev.ligeiro.desk.operator.Role;
import dev.ligeiro.store.ArchiveFields;
import dev.ligeiro.store.ArchiveFields.State;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.support.mongo.LeaseStore;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.support.problem.ProblemCode;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Clock;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.UUID;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.springframework.data.annotation.Id;
import org.springframework.data.domain.Sort;
import org.springframework.data.mongodb.core.FindAndModifyOptions;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.query.Query;
import org.springframework.data.mongodb.core.query.Update;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Shows which months have left MongoDB, pauses the work, asks for a month's return and for its next archiving. A processor does it. */
@RestController
@RequestMapping("/admin/archive")
@Tag(name = "archive")
public class ArchiveController {

    private static final Query WORK = query(where(ArchiveFields.ID).is(ArchiveFields.WORK));

    private final MongoTemplate mongo;
    private final Clock clock;

    ArchiveController(MongoTemplate mongo, Clock clock) {
        this.mongo = mongo;
        this.clock = clock;
    }

    /**
     * A month that has left, or is to.
     *
     * @param month as 2025-01, in UTC
     * @param reason what it waits for; null if it does not wait
     * @param transactionId the first transaction with this reason; null if it is not known
     * @param part how many files are written, removed or inserted already, by the state
     * @param parts how many there are; null before they are complete, as are transactions and bytes
     * @param bytes the size of the files
     * @param archivedAt since when it is not served; null before
     * @param removedAt when its last transaction had left MongoDB; null before
     * @param restoredAt when all were back; null before
     * @param keysTaken how many came back without a reference or key, because another transaction has it
     * @param alteredFile a file that is missing or is not as it was written; null if none was found
     */
    public record Month(
            @Id String month,
            String state,
            @Nullable String reason,
            @Nullable UUID transactionId,
            int part,
            @Nullable Integer parts,
            @Nullable Long transactions,
            @Nullable Long bytes,
            @Nullable Instant archivedAt,
            @Nullable Instant removedAt,
            @Nullable Instant restoredAt,
            @Nullable Long keysTaken,
            @Nullable String alteredFile) {

        /** The name of its state's text. */
        public String shown() {
            return state.equals(State.ARCHIVED.code()) && removedAt == null ? "removing" : state;
        }

        /** Whether a processor goes through its files. */
        public boolean busy() {
            return !mayLeave() && (!mayReturn() || removedAt == null);
        }

        public boolean mayReturn() {
            return state.equals(State.ARCHIVED.code());
        }

        public boolean mayLeave() {
            return state.equals(State.RESTORED.code());
        }
    }

    /**
     * @param after so many months; null: none leaves
     * @param to the folder or bucket; null if no processor has one
     * @param at when a processor last began to look for work; null for never
     * @param months the newest first
     */
    public record Archive(
            @Nullable Integer after, @Nullable String to, boolean paused, @Nullable Instant at, List<Month> months) {

        /** The name of its text. */
        public String state() {
            return paused ? "paused" : at == null ? "never" : "runs";
        }
    }

    @GetMapping
    @Needs(Role.READ)
    @Operation(summary = "which months have left MongoDB")
    public Archive show() {
        Document work = mongo.findOne(WORK, Document.class, CollectionNames.LEASES);
        Document known = work == null ? new Document() : work;
        Date at = known.getDate(ArchiveFields.AT);
        return new Archive(
                known.getInteger(ArchiveFields.MONTHS),
                known.getString(ArchiveFields.TO),
                known.getBoolean(LeaseStore.PAUSED, false),
                at == null ? null : at.toInstant(),
                mongo.find(
                        new Query().with(Sort.by(Sort.Direction.DESC, ArchiveFields.ID)),
                        Month.class,
                        CollectionNames.ARCHIVED_MONTHS));
    }

    /** A batch that is under way ends. */
    @PostMapping("/pause")
    @Needs(Role.OPERATE)
    @Operation(summary = "pause the archive")
    Archive pause(@RequestBody Reason body) {
        return set(true);
    }

    @PostMapping("/resume")
    @Needs(Role.OPERATE)
    @Operation(summary = "let the archive go on")
    Archive resume(@RequestBody Reason body) {
        return set(false);
    }

    private Archive set(boolean isPaused) {
        mongo.upsert(WORK, new Update().set(LeaseStore.PAUSED, isPaused), CollectionNames.LEASES);
        return show();
    }

    /** It is not archived again before operators ask for it. */
    @PostMapping("/{month}/restore")
    @Needs(Role.OPERATE)
    @Operation(summary = "bring an archived month back; a processor begins within seconds")
    Month restore(@PathVariable String month, @RequestBody Reason body) {
        return change(
                month,
                State.ARCHIVED,
                new Update()
                        .set(ArchiveFields.STATE, State.RESTORING.code())
                        .set(ArchiveFields.PART, 0)
                        .unset(ArchiveFields.ALTERED_FILE));
    }

    @PostMapping("/{month}/archive")
    @Needs(Role.OPERATE)
    @Operation(summary = "let a month that was brought back be archived again")
    Month archive(@PathVariable String month, @RequestBody Reason body) {
        return change(
                month,
                State.RESTORED,
                new Update().set(ArchiveFields.STATE, State.WAITING.code()).set(ArchiveFields.DUE, clock.instant()));
    }

    private Month change(String month, State from, Update update) {
        Month changed = mongo.findAndModify(
                query(where(ArchiveFields.ID).is(month).and(ArchiveFields.STATE).is(from.code())),
                update,
                FindAndModifyOptions.options().returnNew(true),
                Month.class,
                CollectionNames.ARCHIVED_MONTHS);
        if (changed != null) {
            return changed;
        }
        Month stored = mongo.findById(month, Month.class, CollectionNames.ARCHIVED_MONTHS);
        if (stored == null) {
            throw Problem.notFound("No such month is archived");
        }
        throw Problem.of(
                ProblemCode.NOT_RESOLVABLE,
                "The month is " + stored.state + "; it must be " + from.code() + " for this");
    }
}
