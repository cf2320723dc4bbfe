package dev.ligeiro.desk.console;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.http.HttpMethod;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.client.ResourceAccessException;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;
import org.springframework.web.servlet.DispatcherServlet;

/** A page for each failure, with its status. Where another try may help, it offers one; while the gateway is away it tries by itself. */
@Controller
@ControllerAdvice
class ProblemPages implements ErrorController {

    private static final Logger LOG = LoggerFactory.getLogger(ProblemPages.class);

    @ExceptionHandler
    void away(ResourceAccessException failure, HttpServletResponse response) throws IOException {
        LOG.atWarn()
                .addKeyValue("event.action", "gateway_not_reached")
                .addKeyValue("cause", String.valueOf(failure.getMostSpecificCause()))
                .log("The gateway has not answered");
        response.sendError(503);
    }

    /** The address has no id where it needs one. */
    @ExceptionHandler
    void misspelt(MethodArgumentTypeMismatchException failure, HttpServletResponse response) throws IOException {
        response.sendError(404);
    }

    @RequestMapping("/error")
    String show(HttpServletRequest request, HttpServletResponse response, Model model) {
        int status = request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE) instanceof Integer code ? code : 404;
        String kind =
                switch (status) {
                    case 401 -> "signed_out";
                    // without a failed handler it is a form of another site
                    case 403 ->
                        request.getAttribute(DispatcherServlet.EXCEPTION_ATTRIBUTE) == null ? "foreign" : "forbidden";
                    case 400, 404, 405 -> "missing";
                    case 429 -> "busy";
                    case 502, 503, 504 -> "away";
                    default -> "failed";
                };
        boolean wasGet = HttpMethod.GET.matches(request.getMethod());
        if (kind.equals("away") && wasGet) {
            response.setHeader("Refresh", "5");
        }
        HttpSession session = request.getSession(false);
        if (status == 401 && session != null) {
            session.invalidate();
        }
        model.addAttribute("kind", kind);
        model.addAttribute("mayRepeat", wasGet && !kind.equals("missing"));
        return "console/failure";
    }
}
