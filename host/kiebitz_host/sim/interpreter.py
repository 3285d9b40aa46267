"""Runs programs of the device with modules of their own, as MicroPython would: nothing in the host's Python changes."""

import builtins
from importlib.machinery import PathFinder
from importlib.util import module_from_spec, resolve_name


class Interpreter:
    """Imports every module of `folder` anew; `modules` are those that MicroPython itself has, by name.

    Each module gets builtins whose __import__ finds modules here first. What neither `modules` nor the folder has, such
    as json, comes from the host's Python. A part of a package that this interpreter knows never does: it might be there
    too, imported for other purposes or from another checkout.
    """

    def __init__(self, folder, modules):
        self.modules = dict(modules)
        self._folder = str(folder)
        self._builtins = {**vars(builtins), "__import__": self._import}

    def run(self, path):
        """Run the program in this file."""
        names = {"__name__": "__main__", "__file__": str(path), "__builtins__": self._builtins}
        exec(compile(path.read_text("utf-8"), str(path), "exec"), names)

    def module(self, name):
        """Return a module, imported when it is first asked for; None if only the host's Python may have it."""
        if name in self.modules:
            return self.modules[name]
        package, _, own_name = name.rpartition(".")
        parent = self.module(package) if package else None
        folders = getattr(parent, "__path__", None) if package else [self._folder]
        spec = PathFinder.find_spec(name, folders) if folders else None
        if spec is None or spec.loader is None:  # a folder without __init__.py has no loader
            return None
        module = module_from_spec(spec)
        vars(module)["__builtins__"] = self._builtins
        self.modules[name] = module
        if parent:  # before the module runs: where a package lacks a part, `from` asks the host's sys.modules
            setattr(parent, own_name, module)
        try:
            spec.loader.exec_module(module)
        except BaseException:
            del self.modules[name]
            if parent:
                delattr(parent, own_name)
            raise
        return module

    def _import(self, name, globals=None, locals=None, fromlist=(), level=0):
        """Do what the import statement needs: the module itself for `from name import ...`, else its first package."""
        if level:
            name = resolve_name("." * level + name, globals["__package__"])
        first = self.module(name.partition(".")[0])
        if first is None:
            return builtins.__import__(name, globals, locals, fromlist)
        module = self.module(name)
        if module is None:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        for part in fromlist or ():
            if not hasattr(module, part):
                self.module(f"{name}.{part}")
        return module if fromlist else first
