package dev.ligeiro.desk.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.desk.fixture.RunningDesk;
import dev.ligeiro.desk.fixture.SharedDesk;
import dev.ligeiro.infra.client.Api;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.RebuildFields;
import java.util.Date;
import java.util.Map;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.data.mongodb.core.query.Criteria;
import org.springframework.data.mongodb.core.query.Query;
import org.springframework.data.mongodb.core.query.Update;

@ExtendWith(SharedDesk.class)
class RebuildIT {

    private static final String PATH = "/admin/books/rebuild";

    private final RunningDesk desk;
    private final Api admin;

    RebuildIT(RunningDesk desk) {
        this.desk = desk;
        this.admin = desk.admin();
    }

    @Test
    void whileARebuildRunsNoOtherOneBegins() {
        Query rebuild = Query.query(Criteria.where("_id").is(RebuildFields.NAME));
        desk.mongo().remove(rebuild, CollectionNames.LEASES);
        admin.get(PATH).expectProblem(404, "not_found");

        admin.post(PATH, Map.of()).expect(200);
        String run = run(rebuild);
        assertThat(admin.post(PATH, Map.of())
                        .expect(200)
                        .json()
                        .path("ended_at")
                        .isNull())
                .isTrue();
        assertThat(run(rebuild)).isEqualTo(run);

        desk.mongo().updateFirst(rebuild, Update.update(RebuildFields.ENDED_AT, new Date()), CollectionNames.LEASES);
        assertThat(admin.get(PATH).expect(200).json().path("ended_at").isNull()).isFalse();
        admin.post(PATH, Map.of()).expect(200);
        assertThat(run(rebuild)).isNotEqualTo(run);
        admin.post(PATH, Map.of("since", "x")).expect(422);
    }

    private String run(Query rebuild) {
        Document found = desk.mongo().findOne(rebuild, Document.class, CollectionNames.LEASES);
        return found == null ? "" : found.getString(RebuildFields.RUN);
    }
}
