package dev.ligeiro.desk.console;

import static dev.ligeiro.desk.console.MerchantFrame.HOME;

import dev.ligeiro.desk.console.Answers.TransactionList;
import dev.ligeiro.desk.page.Frame;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RequestParam;

/**
 * One box for whatever a person has at hand: the id of a transaction, a refund or an event, an end-to-end id, a reference, a CPF or CNPJ, a phone, an
 * e-mail or a name. A single match is shown itself, several as a list.
 */
@Controller
class SearchPages {

    private static final Pattern KEY = Pattern.compile("sk_(test|live)_.*");
    private static final Pattern EVENT =
            Pattern.compile("evt_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})_[0-9]+");
    private static final Pattern ID =
            Pattern.compile("(?i)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");
    private static final Pattern END_TO_END_ID = Pattern.compile("[ED][0-9A-Z]{8}[0-9]{12}[0-9A-Za-z]{11}");
    private static final Pattern TAX_ID = Pattern.compile(
            "[0-9]{3}\\.?[0-9]{3}\\.?[0-9]{3}-?[0-9]{2}|[0-9A-Z]{2}\\.?[0-9A-Z]{3}\\.?[0-9A-Z]{3}/?[0-9A-Z]{4}-?[0-9]{2}");
    private static final Pattern PHONE = Pattern.compile("\\+[0-9 ()-]{10,20}");

    private final GatewayApi api;

    SearchPages(GatewayApi api) {
        this.api = api;
    }

    /** Of a key only its beginning can be found. A whole one comes in the body, and goes nowhere. */
    @RequestMapping(
            path = HOME + "/search",
            method = {RequestMethod.GET, RequestMethod.POST})
    String search(@RequestParam(defaultValue = "") String q) {
        String text = q.strip();
        if (text.isEmpty()) {
            return list(null, "");
        }
        if (KEY.matcher(text).matches()) {
            return "redirect:" + HOME + "/access";
        }
        Matcher event = EVENT.matcher(text);
        String id = event.matches() ? event.replaceAll("$1-$2-$3-$4-$5") : text;
        if (ID.matcher(id).matches()) {
            if (exists(UUID.fromString(id))) {
                return one(UUID.fromString(id));
            }
            TransactionList byRefund = matches("refund_id", id);
            return byRefund == null || byRefund.transactions().isEmpty()
                    ? list("identifier", id)
                    : found("refund_id", id, byRefund);
        }
        if (END_TO_END_ID.matcher(text).matches()) {
            return found("e2e_id", text);
        }
        if (TAX_ID.matcher(text).matches() || text.indexOf(' ') > 0 && !text.startsWith("+")) {
            return found("name_document", text);
        }
        if (PHONE.matcher(text).matches()) {
            return found("phone", text);
        }
        if (text.indexOf('@') > 0) {
            return found("pix_key", text);
        }
        TransactionList byReference = matches("reference", text);
        return byReference == null || byReference.transactions().isEmpty()
                ? found("name_document", text)
                : found("reference", text, byReference);
    }

    private boolean exists(UUID id) {
        try {
            api.transaction(id);
            return true;
        } catch (ApiProblem problem) {
            if (problem.status() != 404) {
                throw problem;
            }
            return false;
        }
    }

    private String found(String filter, String text) {
        return found(filter, text, matches(filter, text));
    }

    private static String found(String filter, String text, @Nullable TransactionList matches) {
        return matches != null && matches.transactions().size() == 1
                ? one(matches.transactions().get(0).id())
                : list(filter, text);
    }

    /** Null if the text is none for the filter; the list says why. */
    private @Nullable TransactionList matches(String filter, String text) {
        try {
            return api.transactions(Map.of(filter, text));
        } catch (ApiProblem problem) {
            if (problem.status() != 422) {
                throw problem;
            }
            return null;
        }
    }

    private static String one(UUID id) {
        return "redirect:" + HOME + "/transactions/" + id;
    }

    private static String list(@Nullable String filter, String text) {
        return "redirect:" + HOME + "/transactions" + (filter == null ? "" : "?" + filter + "=" + Frame.encoded(text));
    }
}
