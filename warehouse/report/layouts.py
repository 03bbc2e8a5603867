FORMATS = Format = render = None
