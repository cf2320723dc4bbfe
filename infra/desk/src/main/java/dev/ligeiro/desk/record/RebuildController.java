package dev.ligeiro.desk.record;

import dev.ligeiro.desk.http.Problem;
import dev.ligeiro.desk.operator.Needs;
import dev.ligeiro.desk.operator.Role;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Clock;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
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

    private final RebuildStore store;
    private final Clock clock;

    RebuildController(RebuildStore store, Clock clock) {
        this.store = store;
        this.clock = clock;
    }

    /**
     * A rebuild, as operators see it.
     *
     * @param postingsAdded the postings that were missing so far
     * @param endedAt null while it runs
     */
    record Rebuild(Instant requestedAt, long batches, long postingsAdded, @Nullable Instant endedAt) {}

    record Nothing() {}

    /** While a rebuild runs, no other one begins. */
    @PostMapping
    @Needs(Role.OPERATE)
    @Operation(summary = "Write the postings that the books lack")
    Rebuild rebuild(@RequestBody Nothing body) {
        store.request(Instant.ofEpochMilli(clock.millis()));
        return show();
    }

    @GetMapping
    @Needs(Role.READ)
    @Operation(summary = "How far the latest rebuild of the books is")
    Rebuild show() {
        return store.latest().orElseThrow(() -> Problem.notFound("The books were never rebuilt"));
    }
}
