package dev.ligeiro.desk.audit;

import static org.springframework.data.mongodb.core.query.Criteria.where;
import static org.springframework.data.mongodb.core.query.Query.query;

import dev.ligeiro.pix.TaxId;
import java.time.Duration;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.query.Update;
import org.springframework.stereotype.Component;

/** Removes a person from the bodies of the audit. Their digests stay, so the chain proves the same, but for the removed characters. */
@Component
public class AuditBodies {

    /** It reads the whole audit. */
    private static final Duration READ_MAX = Duration.ofSeconds(30);

    /** What {@link TaxId#parse} skips. */
    private static final String MARKS = "[\\h./-]*";

    private final MongoTemplate mongo;

    AuditBodies(MongoTemplate mongo) {
        this.mongo = mongo;
    }

    /** Replaces a tax id, with or without its mask, by stars. Repeated, it changes nothing. */
    public void remove(TaxId person) {
        Pattern written = Pattern.compile(
                person.value()
                        .chars()
                        .mapToObj(character -> String.valueOf((char) character))
                        .collect(Collectors.joining(MARKS)),
                Pattern.CASE_INSENSITIVE);
        for (AuditEntry entry : mongo.find(query(where("body").regex(written)).maxTime(READ_MAX), AuditEntry.class)) {
            String body = String.valueOf(entry.body());
            mongo.updateFirst(
                    query(where("_id").is(entry.id()).and("body").is(body)),
                    new Update()
                            .set("body", written.matcher(body).replaceAll("***"))
                            .set("digest", AuditLink.digestOfBegun(entry)),
                    AuditEntry.class);
        }
    }
}
