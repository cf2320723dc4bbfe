package dev.ligeiro.desk.attention;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.desk.fixture.RunningDesk;
import dev.ligeiro.desk.fixture.SharedDesk;
import dev.ligeiro.desk.fixture.Visitor;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.TransactionFields;
import java.util.Date;
import java.util.UUID;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.data.mongodb.core.query.Criteria;
import org.springframework.data.mongodb.core.query.Query;

@ExtendWith(SharedDesk.class)
class AttentionPageIT {

    private final RunningDesk desk;

    AttentionPageIT(RunningDesk desk) {
        this.desk = desk;
    }

    @Test
    void eachLineHasItsNumberItsAgeAndTheWayToItsList() {
        UUID id = UUID.randomUUID();
        desk.mongo()
                .remove(
                        Query.query(Criteria.where(TransactionFields.UNSETTLED_SINCE)
                                .exists(true)),
                        CollectionNames.TRANSACTIONS);
        desk.mongo()
                .insert(
                        new Document("_id", id)
                                .append(
                                        TransactionFields.UNSETTLED_SINCE,
                                        Date.from(desk.clock().instant().minusSeconds(400 * 86_400L))),
                        CollectionNames.TRANSACTIONS);
        Visitor visitor = Visitor.signedIn(desk, RunningDesk.READER_TOKEN);

        String page = visitor.get("/console").expect(200).body();
        desk.mongo().remove(Query.query(Criteria.where("_id").is(id)), CollectionNames.TRANSACTIONS);

        assertThat(page)
                .contains("<a href=\"/console/unsettled\">Unknown outcomes</a>", "400 d 0 h", "No Alertmanager is set")
                .contains("href=\"/console/dead-letters?topic=transaction-commands\"", "data-refresh=\"5\"");
        assertThat(visitor.speaking("pt").get("/console").body()).contains("Resultados desconhecidos");
    }
}
