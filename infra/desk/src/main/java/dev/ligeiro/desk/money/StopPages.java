package dev.ligeiro.desk.money;

import dev.ligeiro.desk.http.Bodies;
import dev.ligeiro.desk.http.Problem;
import dev.ligeiro.desk.merchant.MerchantStore;
import dev.ligeiro.desk.money.StopController.CashoutsChange;
import dev.ligeiro.desk.money.StopController.RouteChange;
import dev.ligeiro.desk.operator.Operator;
import dev.ligeiro.desk.operator.Role;
import dev.ligeiro.desk.page.Frame;
import dev.ligeiro.desk.page.OperatorFrame;
import dev.ligeiro.merchant.Merchant;
import dev.ligeiro.transaction.TransactionId;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What operators have stopped, with a button that stops and one that resumes. The capability is one with a truth value; its form is made here, because
 * it lets the operator choose a merchant, and says before the button what will happen: a stop without a merchant stops everybody.
 */
@Controller
@RequestMapping("/console/stops")
public class StopPages {

    private static final String PAGE = "/console/stops";
    private static final int CHOICES_MAX = 20;

    private final StopController stops;
    private final MerchantStore merchants;
    private final Rails rails;
    private final Bodies bodies;

    StopPages(StopController stops, MerchantStore merchants, Rails rails, Bodies bodies) {
        this.stops = stops;
        this.merchants = merchants;
        this.rails = rails;
        this.bodies = bodies;
    }

    /**
     * The form of a stop.
     *
     * @param entered what the link or the form has given
     * @param merchant whose cashouts it is about; null for all, and while none is chosen
     * @param found the merchants to choose from; empty without a search
     */
    public record Form(
            Map<String, String> entered,
            @Nullable Merchant merchant,
            List<Merchant> found,
            List<String> rails,
            @Nullable Problem problem) {

        public String entered(String name) {
            return entered.getOrDefault(name, "");
        }

        public boolean stops() {
            return !entered("stopped").equals("false");
        }

        /** Whether it is known whose cashouts it is about. */
        public boolean isChosen() {
            return merchant != null || entered("all").equals("true");
        }
    }

    @GetMapping
    ModelAndView list() {
        return new ModelAndView("money/stops", "cashouts", stops.listCashouts())
                .addObject("routes", stops.listRoutes());
    }

    @GetMapping("/cashouts")
    ModelAndView cashouts(@RequestParam Map<String, String> given, Operator operator) {
        operator.require(given.getOrDefault("stopped", "").equals("false") ? Role.MONEY : Role.OPERATE);
        return form(given, null);
    }

    private ModelAndView form(Map<String, String> given, @Nullable Problem problem) {
        String name = given.getOrDefault("name", "").strip();
        Form form = new Form(
                given,
                TransactionId.parse(given.getOrDefault("merchant", ""))
                        .flatMap(id -> merchants.find(id.value()))
                        .orElse(null),
                name.isEmpty() ? List.of() : merchants.page(name, null, CHOICES_MAX),
                rails.all(),
                problem);
        return page("money/stop-cashouts", form);
    }

    @PostMapping("/cashouts")
    ModelAndView change(
            @RequestParam Map<String, String> entered,
            @ModelAttribute(name = "frame", binding = false) Frame frame,
            Operator operator,
            RedirectAttributes next) {
        ObjectNode body = body(entered, "rail", "merchant");
        try {
            if (!body.has("merchant") && !entered.getOrDefault("all", "").equals("true")) {
                throw Problem.invalid("merchant", "expected a merchant, or all");
            }
            stops.cashouts(bodies.bind(body, CashoutsChange.class), operator);
            return done(frame, next);
        } catch (Problem refused) {
            return form(entered, refused);
        }
    }

    @GetMapping("/routes")
    ModelAndView routes(@RequestParam Map<String, String> given) {
        return page("money/stop-routes", new Form(given, null, List.of(), rails.live(), null));
    }

    @PostMapping("/routes")
    ModelAndView changeRoutes(
            @RequestParam Map<String, String> entered,
            @ModelAttribute(name = "frame", binding = false) Frame frame,
            Operator operator,
            RedirectAttributes next) {
        try {
            stops.routes(bodies.bind(body(entered, "rail", "operation"), RouteChange.class), operator);
            return done(frame, next);
        } catch (Problem refused) {
            return page("money/stop-routes", new Form(entered, null, List.of(), rails.live(), refused));
        }
    }

    private static ObjectNode body(Map<String, String> entered, String... names) {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        if (entered.containsKey("stopped")) {
            body.put("stopped", entered.get("stopped").equals("true"));
        }
        body.put("reason", entered.getOrDefault("reason", ""));
        for (String name : names) {
            String value = entered.getOrDefault(name, "").strip();
            if (!value.isEmpty()) {
                body.put(name, value);
            }
        }
        return body;
    }

    private static ModelAndView done(Frame frame, RedirectAttributes next) {
        next.addFlashAttribute(OperatorFrame.NOTICE, frame.text("money.stop.done"));
        return new ModelAndView("redirect:" + PAGE);
    }

    private static ModelAndView page(String template, Form form) {
        ModelAndView page = new ModelAndView(template, "form", form);
        page.setStatus(
                form.problem() == null ? HttpStatus.OK : form.problem().code().status());
        return page;
    }
}
